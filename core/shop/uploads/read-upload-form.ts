import { limits } from '../../config.ts'
import { readBytes } from '../../http/body/body.ts'
import { requireFormType } from '../../http/body/form.ts'
import { DomainError, invalidField } from '../../lib/errors/domain-error.ts'
import { parseMultipart } from './parse-multipart.ts'

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
  if (!parts) throw invalidField([], 'The form cannot be read.')
  const unknown = parts.find(({ name }) => name !== 'file')
  if (unknown) throw invalidField([unknown.name.slice(0, 60)], 'Unknown field. Send the file in the field `file`, and nothing else.')
  const [file] = parts
  if (parts.length !== 1 || !file || file.fileName === null || file.bytes.length === 0) throw invalidField(['file'], 'Send one file here.')
  if (file.bytes.length > FILE_MAX) throw new DomainError('payload_too_large', `A file may have at most ${FILE_MAX} bytes.`)
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
