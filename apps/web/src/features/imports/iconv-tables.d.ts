/** Tables of the encodings that have one byte a character: for each its upper 128 characters. */
declare module "iconv-lite/encodings/sbcs-data-generated.js" {
  const tables: { cp850: { chars: string } };
  export default tables;
}
