const sampleRate = 8_000
const headerBytes = 44
const fadeSeconds = 0.01

/** A sine tone as a WAV file: 8 kHz, mono, 16 bit. */
export function encodeTone(hertz: number, seconds: number): Uint8Array {
  const samples = Math.round(sampleRate * seconds)
  const file = Buffer.alloc(headerBytes + samples * 2)
  writeHeader(file, samples * 2)
  for (let index = 0; index < samples; index++) {
    const time = index / sampleRate
    const volume = 0.5 * fade(time, seconds)
    file.writeInt16LE(Math.round(Math.sin(2 * Math.PI * hertz * time) * volume * 0x7fff), headerBytes + index * 2)
  }
  return file
}

/** From silence to full and back: a tone that starts at full volume clicks. */
const fade = (time: number, seconds: number): number => Math.min(1, time / fadeSeconds, (seconds - time) / fadeSeconds)

function writeHeader(file: Buffer, dataBytes: number): void {
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(sampleRate, 24)
  file.writeUInt32LE(sampleRate * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(dataBytes, 40)
}
