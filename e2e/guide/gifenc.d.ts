/** What the pictures use of gifenc, which brings no types. */
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
        /** 1 leaves the picture for the next one to be drawn on. */
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
