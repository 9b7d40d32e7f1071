import { Value } from '@sinclair/typebox/value'
import { limits } from '../../../config.ts'
import { foldWords } from '../../../http/table/decode-text.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { sharedErrors } from '../../../lib/errors/shared-errors.ts'
import { importErrors } from '../../../shop/imports/imports.errors.ts'
import { remittanceErrors } from '../remittances.errors.ts'
import type { SheetColumns } from '../sheet/columns.ts'
import { SheetColumnsInput } from './import.model.ts'

const FILE_MAX = limits.uploadBytes
/** Maximum size of the whole form, in bytes. */
export const FORM_MAX = FILE_MAX + 64 * 1024
const FIELDS: readonly string[] = ['file', 'columns', 'at']

/** Uploaded remittance sheet, without its bytes. */
export interface SheetUpload {
  /** SHA-256 of the file, which identifies the remittance. */
  readonly hash: string
  readonly fileName: string | null
  readonly columns: SheetColumns | null
  /** ISO 8601 time of the remittance, if stated. */
  readonly at: string | null
}

/** Parses the form of an upload. Throws `payload_too_large`, `invalid_request`. */
export async function parseUploadForm(bytes: Uint8Array, type: string): Promise<{ upload: SheetUpload; file: Uint8Array }> {
  const form = await parseForm(bytes, type)
  const unknown = [...form.keys()].find((name) => !FIELDS.includes(name))
  if (unknown !== undefined) throw importErrors.fieldUnknown({ fields: FIELDS.join(', ') }, { field: [unknown.slice(0, 60)] })
  const given = form.get('file')
  if (!(given instanceof File) || given.size === 0) throw importErrors.fileMissing({ field: ['file'] })
  if (given.size > FILE_MAX) throw importErrors.fileTooLarge({ fileMax: FILE_MAX })
  const file = new Uint8Array(await given.arrayBuffer())
  const upload = {
    hash: sha256(file),
    fileName: fileNameOf(given),
    columns: parseColumns(form.get('columns')),
    at: parseTime(form.get('at')),
  }
  return { upload, file }
}

async function parseForm(bytes: Uint8Array, type: string) {
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } }).formData()
  } catch {
    throw sharedErrors.formUnreadable({ field: [] })
  }
}

const fileNameOf = ({ name }: File) => name.replace(/\p{C}/gu, '').slice(0, 200) || null

function parseColumns(field: unknown): SheetColumns | null {
  if (field === null) return null
  const invalidColumns = remittanceErrors.columnsInvalid({ field: ['columns'] })
  if (typeof field !== 'string') throw invalidColumns
  try {
    const columns: unknown = JSON.parse(field)
    if (Value.Check(SheetColumnsInput, columns) && !field.includes('\\u0000') && areDistinct(Object.values(columns)))
      return columns as SheetColumns
  } catch {
    // Falls through to the common error below.
  }
  throw invalidColumns
}

/** Returns true if no two fields name the same column, whose amounts would then count twice. */
const areDistinct = (headings: readonly string[]) => new Set(headings.map(foldWords)).size === headings.length

function parseTime(field: unknown): string | null {
  if (field === null) return null
  const time = new Date(typeof field === 'string' ? field : Number.NaN)
  if (Number.isNaN(time.getTime()) || Math.abs(time.getFullYear() - 2100) > 200) throw remittanceErrors.dateInvalid({ field: ['at'] })
  return time.toISOString()
}
