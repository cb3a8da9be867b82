import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** Why a backup, a restore or a move failed, as a sentence for the user. */
export class BackupFault extends Error {}

const algorithm = "aes-256-gcm";
const chunkBytes = 256 * 1024;
const tagBytes = 16;
const lastFlag = 0x8000_0000;
const formatVersion = 1;
const firstWord = "portal-backup";

/** The first line of a file: its format and, for an encrypted file, the salt of its key and a value that tells whether a key is right. */
interface Header {
  line: string;
  sealing: { salt: Buffer; check: Buffer } | null;
}

function keysOf(backupKey: string, salt: Buffer): { key: Buffer; check: Buffer } {
  const bytes = Buffer.from(hkdfSync("sha256", backupKey, salt, "portal backup", 48));
  return { key: bytes.subarray(0, 32), check: bytes.subarray(32) };
}

/** Each nonce contains the chunk's number and whether it is the last one, so that no chunk can be omitted, moved or cut off. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(isLast ? 1 : 0, 0);
  nonce.writeBigUInt64BE(BigInt(index), 4);
  return nonce;
}

/** Splits the input into chunks of one size; the last one, which may be empty, is marked. */
async function* chunksOf(source: AsyncIterable<Buffer>): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0);
  for await (const part of source) {
    held = held.length > 0 ? Buffer.concat([held, part]) : part;
    for (; held.length > chunkBytes; held = held.subarray(chunkBytes))
      yield { chunk: held.subarray(0, chunkBytes), isLast: false };
  }
  yield { chunk: held, isLast: true };
}

/** Bytes of the file: its first line, then the input, encrypted in chunks (AES-256-GCM) if there is a key. */
export async function* encryptFile(
  source: AsyncIterable<Buffer>,
  backupKey: string | null,
): AsyncGenerator<Buffer> {
  if (backupKey === null) {
    yield Buffer.from(`${firstWord} ${formatVersion} gzip\n`);
    yield* source;
    return;
  }
  const salt = randomBytes(16);
  const { key, check } = keysOf(backupKey, salt);
  const line = `${firstWord} ${formatVersion} gzip ${algorithm} ${salt.toString("hex")} ${check.toString("hex")}\n`;
  yield Buffer.from(line);
  let index = 0;
  for await (const { chunk, isLast } of chunksOf(source)) {
    const cipher = createCipheriv(algorithm, key, nonceOf(index, isLast)).setAAD(Buffer.from(line));
    const sealed = Buffer.concat([cipher.update(chunk), cipher.final()]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE((chunk.length | (isLast ? lastFlag : 0)) >>> 0);
    yield Buffer.concat([length, sealed, cipher.getAuthTag()]);
    index += 1;
  }
}

/** Reads a given number of bytes from input in pieces of any size. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Reads `count` bytes, or fewer if the input ends before. */
  async upTo(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      if (this.#held.length === 0) {
        const next = await this.#source.next();
        if (next.done) break;
        this.#held = next.value;
      }
      const part = this.#held.subarray(0, missing);
      this.#held = this.#held.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  /** Reads exactly `count` bytes. Errors: `BackupFault` if the input ends before. */
  async exactly(count: number): Promise<Buffer> {
    const bytes = await this.upTo(count);
    if (bytes.length < count) throw new BackupFault("The backup is not whole: its file ends too early.");
    return bytes;
  }

  /** Reads everything that is left. */
  async *rest(): AsyncGenerator<Buffer> {
    for (let part = await this.upTo(65_536); part.length > 0; part = await this.upTo(65_536)) yield part;
  }
}

async function readHeader(reader: ByteReader): Promise<Header> {
  let line = (await reader.upTo(firstWord.length)).toString("latin1");
  if (line !== firstWord) throw new BackupFault("The file is no backup of the portal.");
  while (!line.endsWith("\n") && line.length < 200) line += (await reader.exactly(1)).toString("latin1");
  const [, version, , cipher, salt = "", check = ""] = line.trim().split(" ");
  if (version !== String(formatVersion) || (cipher && cipher !== algorithm))
    throw new BackupFault("The backup is of a form that this version does not know: a newer one made it.");
  const sealing = cipher ? { salt: Buffer.from(salt, "hex"), check: Buffer.from(check, "hex") } : null;
  return { line, sealing };
}

/**
 * The input of `encryptFile`, read from a file's bytes; modified content of an encrypted file is never returned. Errors: `BackupFault` if
 * the file is no backup, is damaged or ends too early, or if the key is missing or wrong.
 */
export async function* openFile(
  source: AsyncIterable<Buffer>,
  backupKeys: readonly string[],
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  const { line, sealing } = await readHeader(reader);
  if (!sealing) {
    yield* reader.rest();
    return;
  }
  if (backupKeys.length === 0)
    throw new BackupFault("The backup is encrypted: set BACKUP_KEY to the key that it was made with.");
  const fitting = backupKeys
    .map((backupKey) => keysOf(backupKey, sealing.salt))
    .find(({ check }) => sealing.check.length === check.length && timingSafeEqual(sealing.check, check));
  if (!fitting)
    throw new BackupFault(
      "The backup was encrypted with another key than BACKUP_KEY. Set the key that it was made with, or name it as BACKUP_KEY_PREVIOUS.",
    );
  const { key } = fitting;
  for (let index = 0, isLast = false; !isLast; index += 1) {
    const length = (await reader.exactly(4)).readUInt32BE();
    isLast = length >= lastFlag;
    const size = isLast ? length - lastFlag : length;
    if (size > chunkBytes) throw new BackupFault("The backup is damaged.");
    const sealed = await reader.exactly(size);
    const decipher = createDecipheriv(algorithm, key, nonceOf(index, isLast)).setAAD(Buffer.from(line));
    decipher.setAuthTag(await reader.exactly(tagBytes));
    let chunk: Buffer;
    try {
      chunk = Buffer.concat([decipher.update(sealed), decipher.final()]);
    } catch {
      throw new BackupFault("The backup is damaged: what it holds was changed since it was made.");
    }
    yield chunk;
  }
}
