/** The functions that the pictures use of gifenc, which has no types. */
declare module "gifenc" {
  type Colour = [red: number, green: number, blue: number];
  interface Encoder {
    writeFrame(
      pixels: Uint8Array,
      width: number,
      height: number,
      options: {
        palette: Colour[];
        /** In ms. */
        delay: number;
        transparent: boolean;
        transparentIndex: number;
        /** 1 keeps the frame as the background of the next one. */
        dispose: number;
      },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  const gifenc: {
    GIFEncoder(): Encoder;
    quantize(rgba: Uint8Array, colours: number): Colour[];
    applyPalette(rgba: Uint8Array, palette: Colour[]): Uint8Array;
  };
  export default gifenc;
}
