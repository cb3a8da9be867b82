import { createHash } from "node:crypto";

const RATE = 8_000;
const REPEATED_SECONDS = 12;

/** Pseudorandom numbers from 0 to 1 that are always the same for the same name. */
export function randomFrom(name: string): () => number {
  let state = createHash("sha256").update(name).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Length of the recording of `id`: 6 to 15 s. */
export function speechSeconds(id: string): number {
  return 6 + Math.floor(randomFrom(`length ${id}`)() * 10);
}

/**
 * A WAV file (8 kHz, mono, 16-bit PCM) that sounds like two people talking behind a wall: voiced syllables with moving formants, pauses,
 * and a second voice that replies. Returns the same bytes for the same id.
 */
export function speechWav(id: string, seconds: number): Buffer {
  return wavOf([speech(id, seconds)]);
}

/**
 * The audio of a recorded call of any length: speech of its first seconds, repeated. With two channels each contains one voice, with one
 * channel both.
 */
export function recordingWav(id: string, seconds: number, channels: 1 | 2): Buffer {
  const voices = [`${id} near`, `${id} far`].map((name) => speech(name, Math.min(seconds, REPEATED_SECONDS)));
  const length = seconds * RATE;
  if (channels === 2) return wavOf(voices.map((voice) => repeated(voice, length)));
  const [near, far] = voices as [Float64Array, Float64Array];
  return wavOf([
    repeated(
      near.map((value, index) => (value + (far[index] ?? 0)) / 2),
      length,
    ),
  ]);
}

function repeated(voice: Float64Array, length: number): Float64Array {
  return Float64Array.from({ length }, (_value, index) => voice[index % voice.length] ?? 0);
}

function speech(id: string, seconds: number): Float64Array {
  const random = randomFrom(id);
  const samples = new Float64Array(seconds * RATE);
  let start = Math.floor(0.2 * RATE);
  let voice = 110 + random() * 30;
  let syllablesLeft = 4;
  while (start < samples.length) {
    const length = Math.floor((0.12 + random() * 0.16) * RATE);
    addSyllable(
      samples,
      start,
      length,
      voice * (0.9 + random() * 0.25),
      350 + random() * 450,
      900 + random() * 1_300,
    );
    start += length;
    syllablesLeft -= 1;
    if (syllablesLeft <= 0) {
      start += Math.floor((0.15 + random() * 0.35) * RATE);
      syllablesLeft = 3 + Math.floor(random() * 6);
      if (random() < 0.35) voice = voice < 150 ? 190 + random() * 40 : 105 + random() * 30;
    }
  }
  return samples;
}

function addSyllable(
  samples: Float64Array,
  start: number,
  length: number,
  pitch: number,
  formant1: number,
  formant2: number,
): void {
  for (let index = 0; index < length && start + index < samples.length; index += 1) {
    const time = index / RATE;
    const envelope = Math.sin((Math.PI * index) / length) ** 0.7;
    let value = 0;
    for (let harmonic = 1; harmonic * pitch < 3_400; harmonic += 1) {
      const frequency = harmonic * pitch;
      const gain = resonance(frequency, formant1, 120) + 0.6 * resonance(frequency, formant2, 180) + 0.02;
      value += gain * Math.sin(2 * Math.PI * frequency * time);
    }
    samples[start + index] = value * envelope * 0.18;
  }
}

function resonance(frequency: number, centre: number, width: number): number {
  return 1 / (1 + ((frequency - centre) / width) ** 2);
}

/** 16-bit PCM, one array of samples for each channel. */
function wavOf(channels: Float64Array[]): Buffer {
  const header = 44;
  const frames = channels[0]?.length ?? 0;
  const frameBytes = channels.length * 2;
  const wav = Buffer.alloc(header + frames * frameBytes);
  wav.write("RIFF", 0, "ascii");
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8, "ascii");
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(channels.length, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * frameBytes, 28);
  wav.writeUInt16LE(frameBytes, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36, "ascii");
  wav.writeUInt32LE(frames * frameBytes, 40);
  channels.forEach((samples, channel) => {
    samples.forEach((value, index) => {
      const sample = Math.round(Math.max(-1, Math.min(1, value)) * 32_767);
      wav.writeInt16LE(sample, header + index * frameBytes + channel * 2);
    });
  });
  return wav;
}
