import { AdapterError, type Period, text, unreadable, word } from 'serai/ads'
import { type Context, LABEL } from './fields.ts'
import { graph, listOf, wasTooMuch } from './graph.ts'

type Page = Awaited<ReturnType<typeof listOf>>
type Asked = Readonly<Record<string, string | number>>

/** Cursor: a report that is still being written, or a page of a finished one. Meta's own cursors have no colon. */
const CURSOR = /^(wait|page):(\d{1,40}):(.*)$/s
/** Delay before the next poll. It doubles up to a maximum, because each poll uses up the hourly quota. */
const LOOK_MS = 1_000
const LOOK_MAX_MS = 8_000
/** Polls per call, and calls per report: about ten minutes in all. */
const LOOKS = 2
const WAITS_MAX = 38
const DONE = 'Job Completed'
const GIVEN_UP = ['Job Failed', 'Job Skipped']

/** Reads a page of insights. When one answer would be too large, Meta writes a report, and its pages are read. */
export async function pageOf(context: Context, { accountId, cursor }: Period, asked: Asked, limit: number): Promise<Page> {
  const [, what, report = '', rest = ''] = CURSOR.exec(cursor ?? '') ?? []
  if (what === 'wait') return waitFor(context, report, Number(rest), limit)
  if (what === 'page') return pageOfReport(context, report, rest, limit)
  const path = `${accountId}/insights`
  try {
    return await listOf(context, path, { ...asked, limit, after: cursor })
  } catch (error) {
    if (cursor !== undefined || !wasTooMuch(error)) throw error
    const { report_run_id } = await graph(context, path, { json: asked, readsOnly: true })
    const made = word(report_run_id)
    if (made === undefined || !/^\d{1,40}$/.test(made)) throw unreadable(LABEL, 'no report')
    return { rows: [], cursor: `wait:${made}:0` }
  }
}

/** Polls the report. Returns its first page, or an empty page and a cursor to poll again. */
async function waitFor(context: Context, report: string, waited: number, limit: number): Promise<Page> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { async_status } = await graph(context, report, { query: { fields: 'async_status,async_percent_completion' } })
    const status = text(async_status)
    if (status === undefined) throw unreadable(LABEL, 'no state of a report')
    if (status === DONE) return pageOfReport(context, report, '', limit)
    if (GIVEN_UP.includes(status)) throw new AdapterError('unavailable', `${LABEL} gave up a report: ${status}.`)
    await pause(context, Math.min(LOOK_MAX_MS, LOOK_MS * 2 ** (waited * LOOKS + look)))
  }
  if (waited >= WAITS_MAX) throw new AdapterError('unavailable', `${LABEL} was not done with a report in time.`)
  return { rows: [], cursor: `wait:${report}:${waited + 1}` }
}

async function pageOfReport(context: Context, report: string, after: string, limit: number): Promise<Page> {
  const { rows, cursor } = await listOf(context, `${report}/insights`, { limit, after: after || undefined })
  return { rows, ...(cursor !== undefined && { cursor: `page:${report}:${cursor}` }) }
}

function pause({ signal }: Context, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    const gone = () => {
      clearTimeout(timer)
      reject(new AdapterError('unavailable', `${LABEL} was not done with a report in time.`))
    }
    if (signal.aborted) gone()
    else signal.addEventListener('abort', gone, { once: true })
  })
}
