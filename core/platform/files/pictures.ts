import type { Sharp, SharpOptions } from 'sharp'
import { FairQueue } from '../../lib/async/fair-queue.ts'
import { fileErrors } from './files.errors.ts'
import type { PictureKind } from './kinds.ts'

/** Encoded picture, to be stored or served. */
export interface EncodedPicture {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly width: number
  readonly height: number
}

/** Maximum pixels of all frames together, checked before decoding: a few kilobytes can claim to be gigabytes. */
const PIXELS_MAX = 50_000_000
/** Maximum pixels of a side of a stored picture. */
const SIDE_MAX = 4_096
/** Widths that are rendered on demand. */
export const WIDTHS = [160, 320, 640, 960, 1280, 1920] as const

const SECONDS_MAX = 20
const AT_ONCE = 2
const WAITING_MAX = 40
const OWN_MAX = 12

/** Loads the library with the first picture: it takes 13 MB. Uses one thread per picture and no cache. */
async function openPicture(bytes: Uint8Array, options: SharpOptions): Promise<{ picture: Sharp }> {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  // Wrapped, because a picture is a stream that must not be awaited.
  return { picture: sharp(bytes, options) }
}

/** Encoders by type. AVIF, which few programs show, becomes WebP. */
const writers: Readonly<Record<PictureKind, readonly [contentType: string, write: (picture: Sharp) => Sharp]>> = {
  jpeg: ['image/jpeg', (picture) => picture.jpeg({ quality: 85 })],
  png: ['image/png', (picture) => picture.png()],
  webp: ['image/webp', (picture) => picture.webp({ quality: 85, effort: 3 })],
  gif: ['image/gif', (picture) => picture.gif({ effort: 3 })],
  avif: ['image/webp', (picture) => picture.webp({ quality: 85, effort: 3 })],
}

const pictureOf = (contentType: string) => (Object.keys(writers) as PictureKind[]).find((kind) => writers[kind][0] === contentType)

const OPTIONS: SharpOptions = { limitInputPixels: PIXELS_MAX, failOn: 'error', animated: true, sequentialRead: true }

/** Re-encodes a picture upright, without metadata or hidden content. Throws `payload_too_large`, `file_unreadable` and `unavailable`. */
export const reencodePicture = (bytes: Uint8Array, kind: PictureKind, owner: string): Promise<EncodedPicture> =>
  enqueueWork(owner, async () => {
    await assertSize(bytes)
    const { picture } = await openPicture(bytes, OPTIONS)
    return encode(picture.autoOrient().resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true }), kind)
  })

/** Resizes a picture to a width. Throws `file_unreadable` and `unavailable`. */
export const resizePicture = (bytes: Uint8Array, contentType: string, width: number, owner: string): Promise<EncodedPicture> =>
  enqueueWork(owner, async () => {
    const { picture } = await openPicture(bytes, OPTIONS)
    return encode(picture.resize({ width, withoutEnlargement: true }), pictureOf(contentType) ?? 'jpeg')
  })

async function assertSize(bytes: Uint8Array): Promise<void> {
  const { picture } = await openPicture(bytes, { ...OPTIONS, limitInputPixels: false })
  const found = await picture.metadata().catch(unreadable)
  // The height of an animation is the sum of its frames.
  if ((found.width ?? 0) * (found.height ?? 0) > PIXELS_MAX) throw fileErrors.pictureTooLarge({ pixelsMax: PIXELS_MAX / 1e6 })
}

async function encode(picture: Sharp, kind: PictureKind): Promise<EncodedPicture> {
  const [contentType, write] = writers[kind]
  const { data, info } = await write(picture).timeout({ seconds: SECONDS_MAX }).toBuffer({ resolveWithObject: true }).catch(unreadable)
  return { bytes: data, contentType, width: info.width, height: info.pageHeight ?? info.height }
}

function unreadable(cause: unknown): never {
  throw fileErrors.pictureUnreadable({ cause })
}

const waiting = new FairQueue<() => Promise<void>>()
let running = 0

/** Runs work on few pictures at once; owners take turns. Throws `unavailable` if too many wait. */
async function enqueueWork<V>(owner: string, work: () => Promise<V>): Promise<V> {
  if (waiting.size >= WAITING_MAX || waiting.sizeOf(owner) >= OWN_MAX) throw fileErrors.tooManyPictures({ retryAfterSeconds: 3 })
  const { promise, resolve, reject } = Promise.withResolvers<V>()
  waiting.push(owner, () => work().then(resolve, reject))
  void runNext()
  return promise
}

async function runNext(): Promise<void> {
  if (running >= AT_ONCE) return
  const found = waiting.shift()
  if (!found) return
  running += 1
  await found.item()
  running -= 1
  void runNext()
}
