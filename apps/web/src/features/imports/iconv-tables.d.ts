/** Tables of single-byte encodings: the upper 128 characters of each. */
declare module "iconv-lite/encodings/sbcs-data-generated.js" {
  const tables: { cp850: { chars: string } };
  export default tables;
}
