import { fileErrors } from './files.errors.ts'
import { detectKind, isPicture } from './kinds.ts'
import { reencodePicture } from './pictures.ts'

/** Validated file, ready to be stored. */
export interface ValidatedFile {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly width: number | null
  readonly height: number | null
  /** SHA-256 of the stored bytes. */
  readonly hash: string
}

const documents = { pdf: 'application/pdf', csv: 'text/csv' } as const

/** Detects the type of a file and re-encodes images. Throws `unsupported_media_type` for other types, and the errors of image decoding. */
export async function validateFile(bytes: Uint8Array, name: string, owner: string): Promise<ValidatedFile> {
  const kind = await detectKind(bytes, name)
  if (kind === null) throw fileErrors.typeUnsupported()
  if (isPicture(kind)) {
    const picture = await reencodePicture(bytes, kind, owner)
    return { ...picture, hash: await computeSha256(picture.bytes) }
  }
  return { bytes, contentType: documents[kind], width: null, height: null, hash: await computeSha256(bytes) }
}

/** Computes the SHA-256 of bytes off the event loop. */
export const computeSha256 = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
