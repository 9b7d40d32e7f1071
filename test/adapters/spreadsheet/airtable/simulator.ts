import { type Call, runSimulator, type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { type Base, fieldIn, newField, newId, Refusal, type Table } from './bases.ts'
import { type Asked, listRecords, writeRecords } from './records.ts'
import { signIn } from './sign-in.ts'

export { CLIENT, TOKEN } from './sign-in.ts'
export const WORKSPACE = 'wspSimulator0A1b2'

export interface Airtable extends Simulator {
  readonly bases: Map<string, Base>
  /** `lifetime` of tokens in seconds; `perSecond`: calls that a base accepts; a caller that makes more is `turnedAway` for half a minute; `page`: bases on a page. */
  readonly state: { lifetime: number; revoked: boolean; renewed: number; perSecond: number; turnedAway: number; page: number }
  /** Somebody's base with a table whose fields are the first row; without one it has the field that no table is without. */
  make(name?: string, rows?: readonly (readonly string[])[], types?: Readonly<Record<string, string>>): Base
  table(baseId: string, tableId?: string): Table
}

const LOCKED_MS = 30_000

const no = (status: number, type: string, message: string) => Response.json({ error: { type, message } }, { status })
const forbidden = () => no(403, 'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND', 'Invalid permissions, or the requested model was not found.')
const notFound = () => Response.json({ error: 'NOT_FOUND' }, { status: 404 })
/** How long it lasts is told to nobody. */
const overQuota = () =>
  Response.json({ errors: [{ error: 'RATE_LIMIT_REACHED', message: 'Rate limit exceeded. Please try again later' }] }, { status: 429 })

const shownField = ({ id, name, type, choices }: Table['fields'][number]) => ({ id, name, type, ...(choices && { options: { choices } }) })
const shownTable = ({ id, name, fields }: Table) => ({
  id,
  name,
  primaryFieldId: fields[0]?.id,
  fields: fields.map(shownField),
  views: [{ id: 'viwSimulator', name: 'Grid view', type: 'grid' }],
})

function newTable(name: string, fields: readonly { readonly name: string; readonly type: string }[]): Table {
  const table: Table = { id: newId('tbl'), name, fields: [], records: [] }
  for (const field of fields) newField(table, field.name, field.type)
  return table
}

function tableOf([head, ...lines]: readonly (readonly string[])[], types: Readonly<Record<string, string>>): Table {
  const names = head && head.length > 0 ? head : ['Name']
  const table = newTable(
    'Table 1',
    names.map((name) => ({ name, type: types[name] ?? 'singleLineText' })),
  )
  const cellsIn = (line: readonly string[]) =>
    table.fields.flatMap(({ id, type }, at) => (line[at] ? [[id, type === 'number' ? Number(line[at]) : line[at]]] : []))
  table.records = lines.map((line) => ({ id: newId('rec'), cells: Object.fromEntries(cellsIn(line)) }))
  return table
}

/** Counts the calls of a base in a second. A caller above the limit waits, and so do callers that come meanwhile. */
function quota(state: Airtable['state']) {
  const arrivals = new Map<string, number[]>()
  const closed = new Map<string, number>()
  return (baseId: string, at: number): boolean => {
    if ((closed.get(baseId) ?? 0) > at) return false
    const recent = [...(arrivals.get(baseId) ?? []).filter((one) => one > at - 1000), at]
    arrivals.set(baseId, recent)
    if (recent.length <= state.perSecond) return true
    closed.set(baseId, at + LOCKED_MS)
    return false
  }
}

function listBases(bases: ReadonlyMap<string, Base>, page: number, { query }: Call): Response {
  const all = [...bases.values()].filter(({ shared, removed }) => shared && !removed)
  const from = Number(query.get('offset')?.replace('itr', '') ?? 0)
  return Response.json({
    bases: all.slice(from, from + page).map(({ id, name }) => ({ id, name, permissionLevel: 'create' })),
    ...(from + page < all.length && { offset: `itr${from + page}` }),
  })
}

/** `…/tables`, `…/tables/{id}/fields`, `…/tables/{id}/fields/{id}`. */
function inSchema({ method }: Call, base: Base, [tableId, , fieldId]: readonly string[], asked: Asked): Response {
  if (tableId === undefined) return Response.json({ tables: base.tables.map(shownTable) })
  const table = base.tables.find(({ id }) => id === tableId)
  if (!table) return forbidden()
  if (method === 'POST') return Response.json(shownField(newField(table, asked.name, asked.type)))
  const field = fieldIn(table, fieldId ?? '')
  field.name = String(asked.name)
  return Response.json(shownField(field))
}

function inRecords({ method }: Call, base: Base, [name, act]: readonly string[], asked: Asked): Response {
  const table = base.tables.find((one) => one.id === name || one.name === name)
  if (!table) return forbidden()
  return act === 'listRecords' ? listRecords(table, asked) : writeRecords(table, method, asked)
}

/** Airtable's side of the wire: signing in, bases with their schemas, and records with their traps. */
export function startAirtable(options: SimulatorOptions = {}): Airtable {
  const bases = new Map<string, Base>()
  const people = signIn(options.now ?? Date.now)
  const state: Airtable['state'] = Object.assign(people.state, { perSecond: Number.POSITIVE_INFINITY, turnedAway: 0, page: 1000 })
  const isWithin = quota(state)

  function keep(name: string, tables: Table[]): Base {
    const base = { id: newId('app'), name, tables, shared: true, removed: false }
    bases.set(base.id, base)
    return base
  }

  function create({ name, workspaceId, tables }: Asked): Response {
    if (workspaceId !== WORKSPACE) return forbidden()
    const asked = tables as { name: string; fields: { name: string; type: string }[] }[]
    if (asked.length === 0 || asked.some(({ fields }) => fields.length === 0))
      throw new Refusal('INVALID_REQUEST_UNKNOWN', 'A base has a table, and a table a field.')
    const base = keep(
      String(name),
      asked.map((table) => newTable(table.name, table.fields)),
    )
    return Response.json({ id: base.id, tables: base.tables.map(shownTable) })
  }

  function inBase(call: Call, baseId: string, work: (base: Base) => Response): Response {
    if (!isWithin(baseId, call.at)) {
      state.turnedAway += 1
      return overQuota()
    }
    const base = bases.get(baseId)
    if (!base || base.removed) return notFound()
    return base.shared ? work(base) : forbidden()
  }

  function routed(call: Call): Response {
    const asked: Asked = call.body === '' ? {} : JSON.parse(call.body)
    const [, ...parts] = call.path.slice(1).split('/').map(decodeURIComponent)
    if (parts[0] !== 'meta') return inBase(call, parts[0] ?? '', (base) => inRecords(call, base, parts.slice(1), asked))
    if (parts.length > 2) return inBase(call, parts[2] ?? '', (base) => inSchema(call, base, parts.slice(4), asked))
    return call.method === 'POST' ? create(asked) : listBases(bases, state.page, call)
  }

  function answer(call: Call): Response {
    if (call.path === '/oauth2/v1/authorize') return people.authorize(call)
    if (call.path === '/oauth2/v1/token') return people.token(call)
    if (!people.isKnown(call)) return no(401, 'AUTHENTICATION_REQUIRED', 'Authentication required')
    try {
      return routed(call)
    } catch (error) {
      if (error instanceof Refusal) return no(422, error.type, error.message)
      throw error
    }
  }

  const simulator = startSimulator(options, { faultsOn: '^POST /v0/app[^/]+/tbl[^/]+$', answer })
  return {
    ...simulator,
    bases,
    state,
    make: (name = 'Orders', rows = [], types = {}) => keep(name, [tableOf(rows, types)]),
    table(baseId, tableId) {
      const tables = bases.get(baseId)?.tables ?? []
      const table = tableId === undefined ? tables[0] : tables.find(({ id }) => id === tableId)
      if (!table) throw new Error(`There is no table ${tableId} in ${baseId}.`)
      return table
    },
  }
}

if (import.meta.main) runSimulator(startAirtable)
