import { createHash } from "node:crypto";
import { limits } from "@portal/contract/limits";
import { AppError } from "../../http/app-error.ts";
import { type ImageType, imageTypeOf } from "./image-file.ts";

export interface Photo {
  type: ImageType;
  content: Buffer;
}

const dataUrl = /^data:([a-z]+\/[a-z0-9.+-]+)?;base64,([A-Za-z0-9+/]+={0,2})$/;

/**
 * Reads a picture sent as a data URL. Its content says what it is; what the address claims is not asked.
 * Errors: `image_invalid`.
 */
export function readPhoto(sent: string): Photo {
  const [, , data = ""] = dataUrl.exec(sent) ?? [];
  const content = Buffer.from(data, "base64");
  if (content.length > limits.photoMaxBytes)
    throw new AppError("image_invalid", "The picture is too large. Choose one of at most 512 kB.");
  const type = imageTypeOf(content);
  if (!type)
    throw new AppError(
      "image_invalid",
      "This is not a picture we can show. Choose a PNG, JPEG or WebP file.",
    );
  return { type, content };
}

/** Where a picture is served: another picture has another address, so that browsers may keep each. */
export function photoAddress(userId: number, { content }: Photo): string {
  return `/api/users/${userId}/photo?v=${createHash("sha256").update(content).digest("hex").slice(0, 16)}`;
}
