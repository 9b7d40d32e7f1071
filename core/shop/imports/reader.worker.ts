import { serveWorkerJobs } from '../../lib/async/worker-queue.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { sharedErrors } from '../../lib/errors/shared-errors.ts'
import { importErrors } from './imports.errors.ts'
import { parseSheet } from './parse-sheet.ts'
import { FILE_MAX, type ReadJob, type WorkerRefusal, type WorkerSheet } from './reader.ts'

const FIELDS = ['file', 'ignoreUnknown']

const ROWS_PER_PART = 200

async function readForm({ bytes, type, form }: ReadJob): Promise<WorkerSheet> {
  const fields = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } }).formData().catch(() => {
    throw sharedErrors.formUnreadable({ field: [] })
  })
  const unknown = [...fields.keys()].find((name) => !FIELDS.includes(name))
  if (unknown !== undefined) throw importErrors.fieldUnknown({ fields: FIELDS.join(', ') }, { field: [unknown.slice(0, 60)] })
  const ignoreUnknown = fields.get('ignoreUnknown') ?? 'false'
  if (ignoreUnknown !== 'true' && ignoreUnknown !== 'false') throw importErrors.trueOrFalse({ field: ['ignoreUnknown'] })
  const given = fields.get('file')
  if (!(given instanceof File) || given.size === 0) throw importErrors.fileMissing({ field: ['file'] })
  if (given.size > FILE_MAX) throw importErrors.fileTooLarge({ fileMax: FILE_MAX })
  const file = new Uint8Array(await given.arrayBuffer())
  const { rows, ...sheet } = await parseSheet(file, form, { ignoreUnknown: ignoreUnknown === 'true' })
  const parts = Array.from({ length: Math.ceil(rows.length / ROWS_PER_PART) }, (_, at) =>
    JSON.stringify(rows.slice(at * ROWS_PER_PART, (at + 1) * ROWS_PER_PART)),
  )
  return { hash: sha256(file), ...sheet, parts }
}

serveWorkerJobs<ReadJob, WorkerSheet | WorkerRefusal>((job) =>
  readForm(job).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    return { code: error.code, message: error.message, issues: error.issues }
  }),
)
