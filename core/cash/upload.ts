import { Value } from '@sinclair/typebox/value'
import { readBytes } from '../http/body.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { sha256 } from '../lib/crypto.ts'
import { SheetColumnsInput } from './cash.model.ts'
import type { SheetColumns } from './sheet/columns.ts'

const FILE_MAX = 5 * 1024 * 1024
const FORM_MAX = FILE_MAX + 64 * 1024
const FIELDS: readonly string[] = ['file', 'columns', 'at']

/** A payout's sheet as it was uploaded. */
export interface Upload {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes: the same file is the same payout. */
  readonly hash: string
  readonly fileName: string | null
  readonly columns: SheetColumns | null
  /** ISO 8601; when the payout was made. */
  readonly at: string | null
}

/** Reads the form of an upload. Throws `unsupported_media_type`, `payload_too_large`, `invalid_request`. */
export async function readUpload(request: Request): Promise<Upload> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw new ApiError('unsupported_media_type', 'Send multipart/form-data with the sheet as file.')
  const form = await formOf(await readBytes(request, FORM_MAX), type)
  const unknown = [...form.keys()].find((name) => !FIELDS.includes(name))
  if (unknown !== undefined) throw invalid(`/body/${unknown.slice(0, 60)}`, `Unknown. The form has ${FIELDS.join(', ')}.`)
  const file = form.get('file')
  if (!(file instanceof File) || file.size === 0) throw invalid('/body/file', 'Put the sheet here, CSV or XLSX.')
  if (file.size > FILE_MAX) throw new ApiError('payload_too_large', `The sheet may have at most ${FILE_MAX} bytes.`)
  const bytes = new Uint8Array(await file.arrayBuffer())
  return { bytes, hash: sha256(bytes), fileName: nameOf(file), columns: columnsOf(form.get('columns')), at: timeOf(form.get('at')) }
}

async function formOf(bytes: Uint8Array, type: string) {
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } }).formData()
  } catch {
    throw invalid('/body', 'The form cannot be read.')
  }
}

const nameOf = ({ name }: File) => name.replace(/\p{C}/gu, '').slice(0, 200) || null

function columnsOf(field: unknown): SheetColumns | null {
  if (field === null) return null
  const wrong = invalid(
    '/body/columns',
    'JSON that says which heading stands over what: {"tracking":"…","amount":"…"}; also reference, fee, net.',
  )
  if (typeof field !== 'string') throw wrong
  try {
    const columns: unknown = JSON.parse(field)
    if (Value.Check(SheetColumnsInput, columns) && !field.includes('\\u0000')) return columns as SheetColumns
  } catch {
    // falls through to the one answer for all that is no such JSON
  }
  throw wrong
}

function timeOf(field: unknown): string | null {
  if (field === null) return null
  const time = new Date(typeof field === 'string' ? field : Number.NaN)
  if (Number.isNaN(time.getTime()) || Math.abs(time.getFullYear() - 2100) > 200)
    throw invalid('/body/at', 'A date, as 2026-01-31T12:00:00Z.')
  return time.toISOString()
}
