import { AdapterError, type Answer, ask, isRow, problemOf, type Query, type Row, rows, text, unreadable, wordsIn } from 'serai/spreadsheet'
import { type Context, HOSTS, LABEL } from './fields.ts'

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly query?: Query
  readonly json?: unknown
}

/** Error code for a range that no longer exists: the tab was renamed or shrunk since it was looked up. */
export const NO_SUCH_RANGE = 'range'

/** Makes one call to a spreadsheet and returns its object. */
export const callSheets = (context: Context, path: string, asked: Asked = {}) =>
  call(context, `https://${HOSTS.sheets}/v4/spreadsheets${path}`, asked, { namesFile: path !== '' })

export const callFiles = (context: Context, query: Query) =>
  call(context, `https://${HOSTS.files}/drive/v3/files`, { query }, { namesFile: false })

async function call(
  context: Context,
  url: string,
  { method = 'GET', ...question }: Asked,
  { namesFile }: { readonly namesFile: boolean },
): Promise<Row> {
  const headers = { authorization: `Bearer ${context.credentials.accessToken ?? ''}` }
  const answer = await ask(context, LABEL, url, { method, headers, ...question })
  if (!answer.ok) throw failureOf(context, answer, { namesFile })
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

/** Builds the error for an unsuccessful answer. A body in another format may come from a proxy, so the outcome is unknown then. */
function failureOf(context: Context, answer: Answer, { namesFile }: { readonly namesFile: boolean }): AdapterError {
  const error = isRow(answer.value) && isRow(answer.value.error) ? answer.value.error : {}
  const said = wordsIn(answer.value)
  const upstream = { code: text(error.status) ?? String(answer.status), ...(said !== undefined && { message: said }) }
  if (isOverQuota(answer.status, error)) return problemOf(context, LABEL, { ...answer, status: 429 }, { said })
  if (answer.status === 403 && namesFile)
    return new AdapterError(
      'refused',
      `${LABEL} does not let this account into the spreadsheet. Share it again, or choose another.`,
      upstream,
    )
  if (answer.status === 404 && upstream.code === 'NOT_FOUND')
    return new AdapterError('not_found', 'The spreadsheet is not there, or this server was not given it. Choose it again.', upstream)
  if (answer.status === 400 && /^unable to parse range|exceeds grid limits/i.test(said ?? ''))
    return new AdapterError('refused', 'The tab has another title by now, or fewer rows or columns.', { ...upstream, code: NO_SUCH_RANGE })
  return problemOf(context, LABEL, answer, { method: 'POST', said })
}

const QUOTA = ['rateLimitExceeded', 'userRateLimitExceeded']

/** Returns true for a rate limit. Sheets uses 429; Drive also 403 with its own reason. */
const isOverQuota = (status: number, error: Row) =>
  error.status === 'RESOURCE_EXHAUSTED' || (status === 403 && rows(error.errors).some(({ reason }) => QUOTA.includes(String(reason))))
