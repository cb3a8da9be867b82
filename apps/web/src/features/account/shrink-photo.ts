import { limits } from "@portal/contract/limits";

const QUALITIES = [0.9, 0.75, 0.5, 0.3] as const;

function encoded(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** The picture on a canvas, its longer side no longer than what is kept; upright, and without what the camera wrote beside it. */
async function draw(file: File): Promise<HTMLCanvasElement> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, limits.photoPixels / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas;
}

/**
 * Makes a chosen picture small enough to be kept: a data URL of a WebP, or a JPEG where the browser writes no WebP.
 * @throws where the file is no picture that the browser can draw.
 */
export async function shrinkPhoto(file: File): Promise<string> {
  const canvas = await draw(file);
  for (const type of ["image/webp", "image/jpeg"]) {
    for (const quality of QUALITIES) {
      const blob = await encoded(canvas, type, quality);
      if (blob?.type === type && blob.size <= limits.photoMaxBytes) return dataUrlOf(blob);
    }
  }
  throw new Error("the picture cannot be made small enough");
}
