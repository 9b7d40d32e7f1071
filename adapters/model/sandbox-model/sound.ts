import type { Media } from 'serai/model'
import { base64 } from './picture.ts'

const SAMPLES_A_SECOND = 8_000
const SECONDS_A_WORD = 0.1
const SECONDS_MAX = 5
const HZ: Readonly<Record<string, number>> = { low: 220, high: 440 }

const littleEndian = (value: number, bytes: number) => Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 255)
const asciiBytes = (text: string) => [...new TextEncoder().encode(text)]

/** Returns a tone as long as the speech would be: WAV, 8 bits, one channel. */
export function sound(text: string, voice: string, speed: number): Media {
  const words = text.split(/\s+/).filter(Boolean).length
  const length = Math.round(Math.min(SECONDS_MAX, (words * SECONDS_A_WORD) / speed) * SAMPLES_A_SECOND)
  const step = (2 * Math.PI * (HZ[voice] ?? 330)) / SAMPLES_A_SECOND
  const samples = Uint8Array.from({ length }, (_, at) => 128 + Math.round(100 * Math.sin(at * step)))
  const format = [
    ...littleEndian(1, 2),
    ...littleEndian(1, 2),
    ...littleEndian(SAMPLES_A_SECOND, 4),
    ...littleEndian(SAMPLES_A_SECOND, 4),
    ...littleEndian(1, 2),
    ...littleEndian(8, 2),
  ]
  const head = [
    ...asciiBytes('RIFF'),
    ...littleEndian(36 + length, 4),
    ...asciiBytes('WAVEfmt '),
    ...littleEndian(16, 4),
    ...format,
    ...asciiBytes('data'),
    ...littleEndian(length, 4),
  ]
  return { mediaType: 'audio/wav', data: base64(Uint8Array.from([...head, ...samples])) }
}
