import { createHash, randomBytes } from 'node:crypto'
import { type Call, runSimulator, type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { type Area, append, areaIn, type Book, gridOf, type Input, isWithin, put, shown, type Tab, USUAL } from './books.ts'

export const CLIENT = { clientId: 'client.apps.googleusercontent.example', clientSecret: 'GOCSPX-secret-of-the-client' }
/** Works always, as if somebody had signed in long ago. */
export const TOKEN = 'ya29.simulator-0A1b2C3d4E5f6'

export interface Google extends Simulator {
  readonly books: Map<string, Book>
  /** `beforeUpdate` is what somebody does in a sheet just before rows in it are written, once; `refused` a row that nobody may write in, from 0. */
  readonly state: {
    driveQuota: number
    lifetime: number
    signedIn: number
    revoked: boolean
    beforeUpdate?: (() => unknown) | undefined
    refused?: number
    updates: number
  }
  /** A spreadsheet that a person has, with a tab whose number is 0. */
  make(name?: string, rows?: readonly (readonly (string | number)[])[], title?: string, sheetId?: number): Book
  tab(bookId: string, sheetId?: number): Tab
}

interface NewBook {
  readonly properties: { readonly title: string }
  readonly sheets?: {
    readonly properties: { readonly title: string; readonly gridProperties?: { readonly rowCount?: number; readonly columnCount?: number } }
  }[]
}

const no = (code: number, status: string, message: string) => Response.json({ error: { code, message, status } }, { status: code })
const secret = (prefix: string) => prefix + randomBytes(12).toString('hex')

/** Google's side of the wire: signing in, the list of files, and spreadsheets with their traps. */
export function startGoogle(options: SimulatorOptions = {}): Google {
  const books = new Map<string, Book>()
  const state: Google['state'] = { driveQuota: 0, lifetime: 3599, signedIn: 0, revoked: false, updates: 0 }
  const access = new Map<string, number>([[TOKEN, Number.POSITIVE_INFINITY]])
  const refresh = new Set<string>()
  const codes = new Map<string, { redirectUri: string; challenge: string | null; refreshes: boolean }>()

  function authorize(query: URLSearchParams): Response {
    const [redirectUri, challenge] = [query.get('redirect_uri') ?? '', query.get('code_challenge')]
    if (query.get('client_id') !== CLIENT.clientId || query.get('response_type') !== 'code') return no(400, 'INVALID', 'invalid_request')
    if (query.get('scope') !== 'https://www.googleapis.com/auth/drive.file') return no(400, 'INVALID', 'invalid_scope')
    state.signedIn += 1
    const refreshes = query.get('access_type') === 'offline' && (state.signedIn === 1 || query.get('prompt') === 'consent')
    const code = secret('4/')
    codes.set(code, { redirectUri, challenge, refreshes })
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    back.searchParams.set('code', code)
    return new Response(null, { status: 302, headers: { location: back.href } })
  }

  function token(said: URLSearchParams): Response {
    const refused = (error: string, words: string) => Response.json({ error, error_description: words }, { status: 400 })
    if (said.get('client_id') !== CLIENT.clientId || said.get('client_secret') !== CLIENT.clientSecret)
      return refused('invalid_client', 'Who?')
    const grant = codes.get(said.get('code') ?? '')
    codes.delete(said.get('code') ?? '')
    if (said.get('grant_type') === 'refresh_token') {
      if (state.revoked || !refresh.has(said.get('refresh_token') ?? ''))
        return refused('invalid_grant', 'Token has been expired or revoked.')
      return issue(false)
    }
    const proof = createHash('sha256')
      .update(said.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || grant.redirectUri !== said.get('redirect_uri') || (grant.challenge !== null && grant.challenge !== proof))
      return refused('invalid_grant', 'Bad Request')
    return issue(grant.refreshes)
  }

  function issue(refreshes: boolean): Response {
    const accessToken = secret('ya29.')
    access.set(accessToken, Date.now() + state.lifetime * 1000)
    const refreshToken = secret('1//')
    if (refreshes) refresh.add(refreshToken)
    return Response.json({
      access_token: accessToken,
      expires_in: state.lifetime,
      token_type: 'Bearer',
      scope: 'https://www.googleapis.com/auth/drive.file',
      ...(refreshes && { refresh_token: refreshToken }),
    })
  }

  function files(query: URLSearchParams): Response {
    if (state.driveQuota > 0) {
      state.driveQuota -= 1
      const errors = [{ domain: 'usageLimits', reason: 'userRateLimitExceeded', message: 'User Rate Limit Exceeded' }]
      return Response.json({ error: { code: 403, message: 'User Rate Limit Exceeded', errors } }, { status: 403 })
    }
    const all = [...books.values()].filter(({ granted }) => granted).reverse()
    const [from, size] = [Number(query.get('pageToken') ?? 0), Number(query.get('pageSize') ?? 100)]
    const asked = query.get('fields')?.includes('modifiedTime')
    return Response.json({
      files: all.slice(from, from + size).map(({ id, name, modifiedAt }) => ({
        id,
        name,
        ...(asked && { modifiedTime: modifiedAt, webViewLink: `https://docs.google.com/spreadsheets/d/${id}/edit` }),
      })),
      ...(from + size < all.length && { nextPageToken: String(from + size) }),
    })
  }

  function make(name = 'Orders', rows: readonly (readonly (string | number)[])[] = [], title = 'Sheet1', sheetId = 0): Book {
    const id = `1${randomBytes(16).toString('hex')}`
    const tab: Tab = { sheetId, title, rows: rows.map((row) => row.map((value) => (value === '' ? undefined : { value }))), grid: USUAL }
    const book: Book = { id, name, modifiedAt: new Date().toISOString(), tabs: [tab], granted: true, shared: true }
    books.set(id, book)
    return book
  }

  const propertiesOf = ({ tabs }: Book) =>
    tabs.map((tab, index) => {
      const { rows: rowCount, columns: columnCount } = gridOf(tab)
      const { sheetId, title } = tab
      return { properties: { sheetId, title, index, sheetType: 'GRID', gridProperties: { rowCount, columnCount } } }
    })

  function create({ body }: Call): Response {
    const { properties, sheets } = JSON.parse(body) as NewBook
    const [asked] = sheets ?? []
    const book = make(properties.title, [], asked?.properties.title, 1_700_000_000)
    const { rowCount: rows = USUAL.rows, columnCount: columns = USUAL.columns } = asked?.properties.gridProperties ?? {}
    book.tabs[0]!.grid = { rows, columns }
    return Response.json({
      spreadsheetId: book.id,
      spreadsheetUrl: `https://docs.google.com/spreadsheets/d/${book.id}/edit`,
      sheets: propertiesOf(book),
    })
  }

  function inBook(call: Call, id: string, rest: string): Response | Promise<Response> {
    const book = books.get(id)
    if (!book?.granted) return no(404, 'NOT_FOUND', 'Requested entity was not found.')
    if (!book.shared) return no(403, 'PERMISSION_DENIED', 'The caller does not have permission')
    if (rest === '') return Response.json({ spreadsheetId: id, properties: { title: book.name }, sheets: propertiesOf(book) })
    if (rest === ':batchUpdate') return change(book, call)
    if (rest === '/values:batchUpdate') return update(book, call)
    const range = decodeURIComponent(rest.replace(/^\/values\//, '').replace(/:append$/, ''))
    return inRange(book, range, (tab, area) => values(call, tab, area, range, { isAppend: rest.endsWith(':append') }))
  }

  function inRange(book: Book, range: string, work: (tab: Tab, area: Area) => Response): Response {
    const area = areaIn(range)
    const tab = book.tabs.find(({ title }) => title === area?.title)
    if (!area || !tab) return no(400, 'INVALID_ARGUMENT', `Unable to parse range: ${range}`)
    const { rows, columns } = gridOf(tab)
    const words = `Range (${range.replaceAll("'", '')}) exceeds grid limits. Max rows: ${rows}, max columns: ${columns}`
    return isWithin(tab, area) ? work(tab, area) : no(400, 'INVALID_ARGUMENT', words)
  }

  /** Of all that can be done to a spreadsheet: more rows or columns. */
  function change(book: Book, { body }: Call): Response {
    const { requests } = JSON.parse(body) as { requests: { appendDimension: { sheetId: number; dimension: string; length: number } }[] }
    for (const { appendDimension } of requests) {
      const { sheetId, dimension, length } = appendDimension
      const tab = book.tabs.find((one) => one.sheetId === sheetId)
      if (!tab) return no(400, 'INVALID_ARGUMENT', `Invalid requests[0].appendDimension: No grid with id: ${sheetId}`)
      const { rows, columns } = gridOf(tab)
      tab.grid = dimension === 'COLUMNS' ? { rows, columns: columns + length } : { rows: rows + length, columns }
    }
    return Response.json({ spreadsheetId: book.id, replies: requests.map(() => ({})) })
  }

  function values(
    { method, query, body }: Call,
    tab: Tab,
    area: Area,
    range: string,
    { isAppend }: { readonly isAppend: boolean },
  ): Response {
    if (method === 'GET') {
      const found = shown(tab, area)
      return Response.json({ range, majorDimension: 'ROWS', ...(found && { values: found }) })
    }
    const input = query.get('valueInputOption') as Input | null
    if (input === null) return no(400, 'INVALID_ARGUMENT', "'valueInputOption' is required but not specified")
    const { values: given } = JSON.parse(body) as { values: unknown[][] }
    if (!isAppend) {
      put(tab, area.from, given, input)
      return Response.json({ updatedRange: range, updatedRows: given.length })
    }
    const [row] = append(tab, area, given, input, { insert: query.get('insertDataOption') === 'INSERT_ROWS' })
    return Response.json({ updates: { updatedRange: `'${tab.title}'!A${row + 1}`, updatedRows: given.length } })
  }

  /** All of it, or nothing. */
  async function update(book: Book, { body }: Call): Promise<Response> {
    const { valueInputOption, data } = JSON.parse(body) as { valueInputOption: Input; data: { range: string; values: unknown[][] }[] }
    const { beforeUpdate } = state
    state.beforeUpdate = undefined
    await beforeUpdate?.()
    state.updates += 1
    if (data.some(({ range }) => areaIn(range)?.from[0] === state.refused))
      return no(400, 'INVALID_ARGUMENT', 'That cell cannot be written.')
    const wrong = data.map(({ range }) => inRange(book, range, () => Response.json({}))).find(({ ok }) => !ok)
    if (wrong) return wrong
    for (const { range, values: given } of data)
      inRange(book, range, (tab, area) => {
        put(tab, area.from, given, valueInputOption)
        return Response.json({})
      })
    return Response.json({ totalUpdatedRows: data.length })
  }

  function answer(call: Call): Response | Promise<Response> {
    const { method, path, query } = call
    if (path === '/o/oauth2/v2/auth') return authorize(query)
    if (path === '/token') return token(new URLSearchParams(call.body))
    if (path === '/revoke') return Response.json({})
    const bearer = call.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (state.revoked || (access.get(bearer) ?? 0) < Date.now())
      return no(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
    if (path === '/drive/v3/files') return files(query)
    if (path === '/v4/spreadsheets' && method === 'POST') return create(call)
    const [, id = '', rest = ''] = /^\/v4\/spreadsheets\/([^/:]+)(.*)$/.exec(path) ?? []
    return id === '' ? no(404, 'NOT_FOUND', 'Not here.') : inBook(call, id, rest)
  }

  const simulator = startSimulator(options, {
    faultsOn: '^POST /v4/spreadsheets/[^/]+/values/.*:append$',
    answer,
    control: {
      'GET books': () => [...books.values()],
      'POST make': ({ name }) => make(String(name)),
    },
  })
  return {
    ...simulator,
    books,
    state,
    make,
    tab(bookId, sheetId = 0) {
      const tabs = books.get(bookId)?.tabs ?? []
      const tab = tabs.find((one) => one.sheetId === sheetId) ?? tabs[0]
      if (!tab) throw new Error(`There is no tab ${sheetId} in ${bookId}.`)
      return tab
    },
  }
}

if (import.meta.main) runSimulator(startGoogle)
