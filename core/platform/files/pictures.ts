import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { ApiError } from '../../http/errors/errors.ts'
import { FairQueue } from '../../lib/async/fair-queue.ts'
import type { Picture } from './kinds.ts'

/** A picture as it is kept or shown. */
export interface Drawn {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly width: number
  readonly height: number
}

/** Of all frames together, before anything is unpacked: a few kilobytes can claim to be gigabytes. */
export const PIXELS_MAX = 50_000_000
/** Of one side, of what is kept. */
export const SIDE_MAX = 4_096
/** What is drawn on demand. */
export const WIDTHS = [160, 320, 640, 960, 1280, 1920] as const

const SECONDS_MAX = 20
const AT_ONCE = 2
const WAITING_MAX = 40
const OWN_MAX = 12

// Each picture is drawn by one thread, and nothing of it is kept.
sharp.concurrency(1)
sharp.cache(false)

/** How each is written again. What few programs can show becomes what all can. */
const writers: Readonly<Record<Picture, readonly [contentType: string, write: (picture: Sharp) => Sharp]>> = {
  jpeg: ['image/jpeg', (picture) => picture.jpeg({ quality: 85 })],
  png: ['image/png', (picture) => picture.png()],
  webp: ['image/webp', (picture) => picture.webp({ quality: 85, effort: 3 })],
  gif: ['image/gif', (picture) => picture.gif({ effort: 3 })],
  avif: ['image/webp', (picture) => picture.webp({ quality: 85, effort: 3 })],
}

const pictureOf = (contentType: string) => (Object.keys(writers) as Picture[]).find((kind) => writers[kind][0] === contentType)

const OPTIONS: SharpOptions = { limitInputPixels: PIXELS_MAX, failOn: 'error', animated: true, sequentialRead: true }

/**
 * Draws a picture anew, upright, without anything that its bytes say besides: where it was taken, with what, what else hides behind it.
 * Throws `payload_too_large` and `file_unreadable`.
 */
export const redraw = (bytes: Uint8Array, kind: Picture, owner: string): Promise<Drawn> =>
  inTurn(owner, async () => {
    await assertSize(bytes)
    const upright = sharp(bytes, OPTIONS).autoOrient()
    return draw(upright.resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true }), kind)
  })

/** The same in another width. */
export const resized = (bytes: Uint8Array, contentType: string, width: number, owner: string): Promise<Drawn> =>
  inTurn(owner, () => draw(sharp(bytes, OPTIONS).resize({ width, withoutEnlargement: true }), pictureOf(contentType) ?? 'jpeg'))

async function assertSize(bytes: Uint8Array): Promise<void> {
  const found = await sharp(bytes, { ...OPTIONS, limitInputPixels: false })
    .metadata()
    .catch(unreadable)
  // The height of what moves is that of all its frames.
  if ((found.width ?? 0) * (found.height ?? 0) > PIXELS_MAX)
    throw new ApiError('payload_too_large', `A picture may have at most ${PIXELS_MAX / 1e6} million pixels, all of its frames together.`)
}

async function draw(picture: Sharp, kind: Picture): Promise<Drawn> {
  const [contentType, write] = writers[kind]
  const { data, info } = await write(picture).timeout({ seconds: SECONDS_MAX }).toBuffer({ resolveWithObject: true }).catch(unreadable)
  return { bytes: data, contentType, width: info.width, height: info.pageHeight ?? info.height }
}

function unreadable(cause: unknown): never {
  throw new ApiError('file_unreadable', 'The picture cannot be read, or takes too long to. Save it anew, and try again.', { cause })
}

const waiting = new FairQueue<() => Promise<void>>()
let atWork = 0

/** A few at once, of each owner in turn. Throws `unavailable` where too many wait. */
async function inTurn<V>(owner: string, work: () => Promise<V>): Promise<V> {
  if (waiting.size >= WAITING_MAX || waiting.sizeOf(owner) >= OWN_MAX)
    throw new ApiError('unavailable', 'Too many pictures are being drawn. Try again in a few seconds.', { headers: { 'retry-after': '3' } })
  const { promise, resolve, reject } = Promise.withResolvers<V>()
  waiting.push(owner, () => work().then(resolve, reject))
  void next()
  return promise
}

async function next(): Promise<void> {
  if (atWork >= AT_ONCE) return
  const found = waiting.shift()
  if (!found) return
  atWork += 1
  await found.item()
  atWork -= 1
  void next()
}
