import { limits } from '../../config.ts'
import { readBytes } from '../../http/body/body.ts'
import { requireFormType } from '../../http/body/form.ts'
import { sharedErrors } from '../../lib/errors/shared-errors.ts'
import { parseMultipart } from './parse-multipart.ts'
import { uploadErrors } from './uploads.errors.ts'

const FILE_MAX = limits.uploadBytes
/** Bytes of the whole form. */
const FORM_MAX = FILE_MAX + 64 * 1024
const NAME_MAX = 200

/** Uploaded file. */
export interface Upload {
  readonly bytes: Uint8Array
  readonly name: string
}

/** Reads the file of a multipart form. Throws `unsupported_media_type`, `payload_too_large`, `invalid_request`. */
export async function readUploadForm(request: Request): Promise<Upload> {
  const type = requireFormType(request)
  const parts = parseMultipart(await readBytes(request, FORM_MAX), type)
  if (!parts) throw sharedErrors.formUnreadable({ field: [] })
  const unknown = parts.find(({ name }) => name !== 'file')
  if (unknown) throw uploadErrors.fieldUnknown({ field: [unknown.name.slice(0, 60)] })
  const [file] = parts
  if (parts.length !== 1 || !file || file.fileName === null || file.bytes.length === 0) throw uploadErrors.fileMissing({ field: ['file'] })
  if (file.bytes.length > FILE_MAX) throw uploadErrors.fileTooLarge({ fileMax: FILE_MAX })
  return { bytes: file.bytes, name: nameOf(file.fileName) }
}

/** Returns the file name without folders and control characters; `file` where nothing is left. */
const nameOf = (fileName: string) =>
  fileName
    .toWellFormed()
    .replace(/\p{C}/gu, '')
    .replace(/^.*[\\/]/, '')
    .trim()
    .slice(0, NAME_MAX)
    .toWellFormed() || 'file'
