import { labelPdf } from '../../../support/simulator/pdf.ts'
import { type Call, runSimulator, type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { communes, offices, prices, wilayas } from './simulator/places.ts'

type Json = Readonly<Record<string, unknown>>

export interface Package {
  readonly id: number
  readonly tracking: string
  /** As it was sent. */
  readonly fields: Json
  status: { id: number | null; name: string }
}

/** What is not documented of the carrier, to be set either way. */
export interface Habits {
  /** A deletion is answered as done and left undone. */
  deletesNothing: boolean
  /** A deletion is answered with 204 and no body. */
  deletesSilently: boolean
  /** Where labels stand, and as what. */
  printHost: string
  prints: 'pdf' | 'page' | 'nothing'
  /** Statuses and packages come inside `data`. */
  wraps: boolean
  /** A package tells its numeric id when it is made. */
  tellsId: boolean
  weighsIn: 'kg' | 'g'
}

export interface ZimouOptions extends SimulatorOptions {
  readonly habits?: Partial<Habits>
}

export interface Zimou extends Simulator {
  readonly credentials: { readonly token: string }
  readonly habits: Habits
  packages(reference?: string): Package[]
  /** Moves a package to a status written as `8 LIVRÉ`, or as a name alone. */
  advance(tracking: string, status: string): Package
}

const credentials = { token: 'sim-zimou-token-a1b2c3d4e5f6' }
const usualHabits: Habits = {
  deletesNothing: false,
  deletesSilently: false,
  printHost: 'zimou.express',
  prints: 'pdf',
  wraps: false,
  tellsId: true,
  weighsIn: 'kg',
}
const deliveryTypes = ['Express', 'Flexible', 'Point relais']
const mostDinars = 1_000_000
/** Not published; an address has an end. */
const mostAsked = 50

const words = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

/** Why the carrier does not take it, in its own words; null where it does. */
function fault(row: Json): string | null {
  const needed = [
    'type',
    'name',
    'client_first_name',
    'client_last_name',
    'client_phone',
    'address',
    'order_id',
    'price',
    'wilaya',
    'commune',
  ]
  const missing = needed.find((name) => words(row[name]) === '')
  if (missing) return `Le champ ${missing} est obligatoire`
  if (row.type !== 'ecommerce' || typeof row.can_be_opened !== 'boolean') return 'Colis invalide'
  if (!/^0\d{8,9}$/.test(words(row.client_phone))) return 'Le téléphone est invalide'
  if (!/^\d+$/.test(words(row.price)) || Number(row.price) > mostDinars) return 'Le prix est invalide'
  if (!['true', 'false'].includes(words(row.free_delivery)) || !deliveryTypes.includes(words(row.delivery_type)))
    return 'Livraison invalide'
  const commune = communes.find(({ name, wilaya_id }) => wilaya_id === Number(row.wilaya) && name === row.commune)
  if (!commune) return `La commune: ${words(row.commune)} n'existe pas`
  if (row.delivery_type !== 'Point relais') return null
  const office = offices.find(({ id }) => id === row.office_id)
  return office?.commune_id === commune.id ? null : "Le bureau n'est pas dans la commune"
}

/** The carrier's side of the wire, over a real socket. */
export function startZimou(options: ZimouOptions = {}): Zimou {
  const habits: Habits = { ...usualHabits, ...options.habits }
  const packages = new Map<string, Package>()
  const tag = crypto.randomUUID().slice(0, 4).toUpperCase()
  let made = 0

  const shown = ({ id, tracking, fields, status }: Package) => ({
    ...(habits.tellsId && { id }),
    tracking_code: tracking,
    bordereau: `B-${id}`,
    print_url: habits.prints === 'nothing' ? null : `https://${habits.printHost}/print/${id}`,
    tracking_partner_company: 'Yalidine',
    delivery_company_tracking_code: `yal-${id}`,
    status_id: status.id,
    status_name: status.name,
    delivery_price: '450',
    order_id: fields.order_id,
    price: fields.price,
  })

  /** 201 whether it is taken or not. One `order_id` may come as often as it likes. */
  function create(row: Json): Response {
    const message = fault(row)
    if (message !== null) return Response.json({ error: 1, message }, { status: 201 })
    const id = ++made
    const one: Package = {
      id,
      tracking: `ZEX-${tag}${String(id).padStart(6, '0')}`,
      fields: row,
      status: { id: 1, name: 'EN  PREPARATION ' },
    }
    packages.set(one.tracking, one)
    return Response.json({ error: 0, message: 'Colis ajouté', data: shown(one) }, { status: 201 })
  }

  const wrapped = (value: unknown) => Response.json(habits.wraps ? { data: value } : value)

  /** Written by PHP: a map without entries is a list. */
  function statuses(trackings: readonly string[]): Response {
    if (trackings.length > mostAsked) return new Response('URI Too Long', { status: 414 })
    const found = trackings.flatMap((tracking) => packages.get(tracking) ?? [])
    const entries = found.map(({ tracking, status }) => [tracking, { status_id: status.id, status_name: status.name }])
    return wrapped(entries.length === 0 ? [] : Object.fromEntries(entries))
  }

  function remove(trackings: readonly string[]): Response {
    const gone = trackings.flatMap((tracking) => packages.get(tracking) ?? [])
    if (gone.some(({ status }) => status.id !== 1 && status.id !== 2))
      return Response.json({ error: 1, message: 'Ce colis ne peut plus être supprimé' }, { status: 201 })
    if (!habits.deletesNothing) for (const { tracking } of gone) packages.delete(tracking)
    return habits.deletesSilently ? new Response(null, { status: 204 }) : Response.json({ error: 0, message: 'Supprimé' })
  }

  function print(path: string): Response {
    if (habits.prints === 'page') return new Response('<h1>Bordereau</h1>', { headers: { 'content-type': 'text/html' } })
    return labelPdf(`Bordereau ${path.split('/').at(-1)}`)
  }

  function answer({ method, path, query, headers, body }: Call): Response {
    if (headers.get('authorization') !== `Bearer ${credentials.token}`)
      return Response.json({ message: 'Unauthenticated.' }, { status: 401 })
    if (path.startsWith('/print/')) return print(path)
    const json = (body === '' ? {} : JSON.parse(body)) as Json
    const acts: Readonly<Record<string, () => Response>> = {
      'GET helpers/wilayas': () => Response.json({ data: wilayas }),
      'GET helpers/communes': () => Response.json({ data: communes }),
      'GET helpers/offices': () => Response.json({ data: offices }),
      'GET my/prices': () => Response.json({ data: prices }),
      'GET packages/status': () => statuses(query.getAll('packages[]')),
      'POST packages': () => create(json),
      'DELETE packages/bulk': () => remove(json.tracking_codes as string[]),
    }
    const below = path.replace('/api/v3/', '')
    const one = [...packages.values()].find(({ id }) => method === 'GET' && below === `packages/${id}`)
    if (one) return wrapped(shown(one))
    return acts[`${method} ${below}`]?.() ?? Response.json({ message: 'Not found.' }, { status: 404 })
  }

  const advance: Zimou['advance'] = (tracking, status) => {
    const one = packages.get(tracking)
    if (!one) throw new Error(`The simulator has no package ${tracking}.`)
    const [, id, name] = /^(\d+)? ?(.*)$/.exec(status)!
    // Names carry odd spaces.
    return Object.assign(one, { status: { id: id === undefined ? null : Number(id), name: ` ${name!.replace(' ', '  ')}` } })
  }
  const listed = (reference?: string) =>
    [...packages.values()].filter(({ fields }) => reference === undefined || fields.order_id === reference)

  const simulator = startSimulator(options, {
    faultsOn: '^POST /api/v3/packages',
    answer,
    control: {
      'GET account': () => ({ credentials }),
      'GET packages': (_, query) => listed(query.get('reference') ?? undefined),
      'POST habits': (body) => Object.assign(habits, body),
      'POST advance': ({ tracking, status }) => advance(String(tracking), String(status)),
      'POST reset': () => packages.clear(),
    },
  })
  return { ...simulator, credentials, habits, packages: listed, advance }
}

if (import.meta.main) runSimulator(startZimou)
