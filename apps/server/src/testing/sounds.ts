/** A WAV file (8 kHz, mono, 16 bits) of silence; `saidSeconds` is what its header claims. */
export function wavOf(seconds: number, saidSeconds = seconds): Buffer {
  const bytesPerSecond = 16_000;
  const file = Buffer.alloc(44 + seconds * bytesPerSecond);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8_000, 24);
  file.writeUInt32LE(bytesPerSecond, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(saidSeconds * bytesPerSecond, 40);
  return file;
}

/** An MP3 file of silence: frames of MPEG 2 layer III at 16 kbit/s and 16 kHz, 72 bytes and 36 ms each. */
export function mp3Of(seconds: number): Buffer {
  const frame = Buffer.alloc(72);
  frame.set([0xff, 0xf3, 0x28, 0xc0]);
  return Buffer.concat(Array.from({ length: Math.ceil((seconds * 1_000) / 36) }, () => frame));
}
