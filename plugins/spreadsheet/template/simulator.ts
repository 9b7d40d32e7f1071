/** A tab of the simulator. The simulator stands in for the platform's API; make it behave, and fail, as the real one does. */
export interface Tab {
  readonly id: string
  name: string
  rows: (string | number)[][]
}

/** A file of the simulator. */
export interface File {
  readonly id: string
  readonly name: string
  tabs: Tab[]
  isShared: boolean
}

/** Faults that the simulator can play. */
export type Trouble = 'ignored' | 'lost_answer' | 'malformed' | 'mumbled' | 'error_before' | 'rate_limited'

/** A request that the simulator received. */
export interface Call {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The token that the simulator accepts. */
export const token = 'example-token-0123456789'

interface Asked {
  readonly key: string
  readonly keys: string[]
  readonly columns: string[]
  readonly rows: { readonly key: string; readonly values: (string | number | null)[] }[]
}

/** Starts a stand-in for the platform's API, and returns its address, files, calls and controls. */
export function startSimulator() {
  const files = new Map<string, File>()
  const calls: Call[] = []
  /** Current fault, and the calls that it concerns (`METHOD /path`). */
  const state = { trouble: undefined as Trouble | undefined, on: '' }

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: hear })

  async function hear(request: Request): Promise<Response> {
    const { pathname: path, search } = new URL(request.url)
    const { method, headers } = request
    const call = { at: Date.now(), method, path, query: search.slice(1), headers: Object.fromEntries(headers), body: await request.text() }
    calls.push(call)
    const isConcerned = state.trouble !== undefined && new RegExp(state.on).test(`${method} ${path}`)
    return isConcerned ? misbehave(() => answer(call)) : answer(call)
  }

  async function misbehave(act: () => Response): Promise<Response> {
    const { trouble } = state
    if (trouble === 'rate_limited') return problem(429, 'too many calls', { 'retry-after': '2' })
    if (trouble === 'ignored') return new Promise(() => {})
    if (trouble === 'error_before') return problem(500, 'out of order')
    const done = act()
    if (trouble === 'lost_answer') return torn()
    return trouble === 'mumbled' ? Response.json({ ok: 1 }) : new Response((await done.text()).slice(0, 5))
  }

  function make(name: string, tab: string, rows: Tab['rows']): File {
    const file = { id: `file_${files.size + 1}`, name, tabs: [{ id: 'tab_0', name: tab, rows }], isShared: true }
    files.set(file.id, file)
    return file
  }

  function answer({ method, path, query, headers, body }: Call): Response {
    if (headers.authorization !== `Bearer ${token}`) return problem(401, 'unknown token')
    if (path === '/v1/files' && method === 'GET') return Response.json({ files: [...files.values()].map(({ id, name }) => ({ id, name })) })
    const asked = body === '' ? {} : JSON.parse(body)
    if (path === '/v1/files') return Response.json(shown(make(asked.name, asked.tab, asked.headers.length > 0 ? [asked.headers] : [])))
    const [, id = '', tabId, act] = /^\/v1\/files\/([^/]+)(?:\/tabs\/([^/]+)\/(\w+))?$/.exec(path) ?? []
    const file = files.get(id)
    if (!file) return problem(404, 'no such file')
    if (!file.isShared) return problem(403, 'not yours')
    if (tabId === undefined) return Response.json(shown(file))
    const tab = file.tabs.find((one) => one.id === tabId)
    return tab ? inTab(tab, `${method} ${act}`, asked, new URLSearchParams(query)) : problem(404, 'no such tab')
  }

  return { url: `http://127.0.0.1:${server.port}`, files, calls, state, make, stop: () => server.stop(true) }
}

const shown = ({ id, name, tabs }: File) => ({ id, name, tabs: tabs.map((tab) => ({ id: tab.id, name: tab.name })) })
const fold = (header: string | number | undefined) =>
  String(header ?? '')
    .trim()
    .toLowerCase()

function inTab(tab: Tab, act: string, asked: Asked & { readonly headers: string[] }, query: URLSearchParams): Response {
  const [top = []] = tab.rows
  const placeOf = (header: string) => top.findIndex((one) => fold(one) === fold(header))
  if (act === 'GET headers') return Response.json({ headers: top })
  if (act === 'PUT headers') {
    tab.rows[0] = [...top, ...asked.headers.filter((header) => placeOf(header) < 0)]
    return Response.json({ headers: tab.rows[0] })
  }
  if (act === 'GET rows') {
    const from = Number(query.get('from')) - 1
    return Response.json({
      rows: tab.rows.slice(from, from + Number(query.get('count'))).map((values) => ({ values: Array.from(values, (one) => one ?? '') })),
    })
  }
  const key = placeOf(asked.key)
  if (key < 0) return problem(422, `there is no column ${asked.key}`)
  const rowOf = (name: string) => tab.rows.findIndex((row, at) => at > 0 && row[key] === name)
  if (act === 'POST find')
    return Response.json({ found: asked.keys.filter((one) => rowOf(one) > 0).map((one) => ({ key: one, row: rowOf(one) + 1 })) })
  const write = (row: (string | number)[], values: Asked['rows'][number]['values']) => {
    for (const [at, header] of asked.columns.entries()) {
      const value = values[at]
      if (value !== null && value !== undefined && placeOf(header) >= 0) row[placeOf(header)] = value
    }
    return row
  }
  if (act === 'POST rows') {
    for (const { key: name, values } of asked.rows) {
      const row = write([], values)
      row[key] = name
      tab.rows.push(row)
    }
    return Response.json({ written: asked.rows.length })
  }
  const there = asked.rows.filter(({ key: name }) => rowOf(name) > 0)
  for (const { key: name, values } of there) write(tab.rows[rowOf(name)] ?? [], values)
  return Response.json({ keys: there.map(({ key: name }) => name) })
}

/** Builds an answer whose connection closes before its end. */
const torn = () =>
  new Response(
    new ReadableStream({
      async pull(stream) {
        await Bun.sleep(1)
        stream.error(undefined)
      },
    }),
  )

const problem = (status: number, message: string, headers: Record<string, string> = {}) => Response.json({ message }, { status, headers })
