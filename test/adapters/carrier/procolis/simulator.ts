import { algeria } from '../../../../core/platform/geo/countries/dz/catalogue.ts'
import { type Call, runSimulator, type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'

type Json = Readonly<Record<string, unknown>>

export interface Parcel {
  readonly tracking: string
  /** As it was sent. */
  readonly fields: Json
  situation: string
  comment: string
  at: number
  /** `DateH_Action` as it is to be told, where not the time above. */
  told: string | null
}

/** What is not documented of the carrier, to be set either way. */
export interface Habits {
  /** `lire` shows the fields as they were sent, beside those that are documented. */
  echoes: boolean
  /** One unknown number in `lire` makes the whole answer `null`. */
  nullHidesAll: boolean
  /** What `GET token` says. */
  access: string
}

export interface ProcolisOptions extends SimulatorOptions {
  readonly habits?: Partial<Habits>
}

export interface Procolis extends Simulator {
  readonly credentials: { readonly token: string; readonly key: string }
  readonly habits: Habits
  parcels(reference?: string): Parcel[]
  /** Moves a parcel; `told` is written as its time instead of `at`. */
  advance(tracking: string, situation: string, more?: { at?: string; comment?: string; told?: string | null }): Parcel
  /** A parcel that somebody else made under a number. */
  plant(tracking: string, fields: Json): Parcel
}

const credentials = { token: 'sim-procolis-token-a1b2c3d4', key: 'sim-procolis-key-e5f6a7b8' }
const usualHabits: Habits = { echoes: true, nullHidesAll: false, access: 'Accès activé' }
export const inPreparation = 'En Préparation'
const readyToShip = 'En Traitement - Prêt à Expédie'
const mostDinars = 1_000_000

const words = (value: unknown) => (typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '')

/** Why the carrier does not take a row, in its own words; null where it does. */
function fault(row: Json): string | null {
  if (words(row.Client) === '') return 'Le nom du client est obligatoire'
  if (!/^0\d{8,9}$/.test(words(row.MobileA))) return 'Numéro de téléphone invalide'
  if (!/^(0[1-9]|[1-4]\d|5[0-8])$/.test(words(row.IDWilaya))) return 'Wilaya invalide'
  if (words(row.Commune) === '') return 'Commune invalide'
  return /^\d+$/.test(words(row.Total)) && Number(row.Total) <= mostDinars ? null : 'Montant invalide'
}

/** Made-up prices: what counts is their form. Numbers come as text here and there; the last wilaya has no stop-desk. */
export const tarification = algeria.states.map(({ code, name }, index) => ({
  IDWilaya: index % 2 === 0 ? Number(code) : code,
  Wilaya: name,
  Domicile: String(400 + Number(code) * 10),
  Stopdesk: code === '58' ? '0' : 250 + Number(code) * 10,
  ...(code === '16' && { Annuler: '200' }),
}))

/** Local time in Algeria, without a zone. */
const localTime = (at: number) => new Date(at + 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** The platform's side of the wire, over a real socket. */
export function startProcolis(options: ProcolisOptions = {}): Procolis {
  const now = options.now ?? Date.now
  const habits: Habits = { ...usualHabits, ...options.habits }
  const parcels = new Map<string, Parcel>()
  let made = 0

  const make = (tracking: string, fields: Json, situation: string): Parcel => {
    const parcel = { tracking, fields, situation, comment: '', at: now(), told: null }
    parcels.set(tracking, parcel)
    return parcel
  }

  function add(row: Json) {
    const tracking = words(row.Tracking) || `SIM${String(++made).padStart(8, '0')}`
    if (parcels.has(tracking)) return { ...row, MessageRetour: 'Double Tracking' }
    const message = fault(row)
    if (message !== null) return { ...row, MessageRetour: message }
    // Left empty, or told under another name, it counts as confirmed.
    make(tracking, row, row.Confrimee === 0 ? inPreparation : readyToShip)
    return { ...row, Tracking: tracking, MessageRetour: 'Good' }
  }

  const shown = ({ tracking, fields, situation, comment, at, told }: Parcel) => ({
    ...(habits.echoes && fields),
    Tracking: tracking,
    Situation: situation,
    // Not the status, whatever its name says.
    Statut: 'Actif',
    Commentaire: comment,
    DateH_Action: told ?? localTime(at),
  })

  function read(trackings: readonly string[]) {
    const found = trackings.flatMap((tracking) => parcels.get(tracking) ?? [])
    const hidden = habits.nullHidesAll && found.length < trackings.length
    return found.length === 0 || hidden ? null : { Colis: found.map(shown) }
  }

  function ready(trackings: readonly string[]) {
    const found = trackings.flatMap((tracking) => parcels.get(tracking) ?? [])
    for (const parcel of found) if (parcel.situation === inPreparation) Object.assign(parcel, { situation: readyToShip, at: now() })
    return { Colis: found.map(({ tracking }) => ({ Tracking: tracking })) }
  }

  function answer({ method, path, headers, body }: Call): Response {
    if (headers.get('token') !== credentials.token || headers.get('key') !== credentials.key)
      return Response.json({ message: 'Unauthorized' }, { status: 401 })
    const asked = rowsIn(body)
    const trackings = asked.map(({ Tracking }) => words(Tracking))
    const acts: Readonly<Record<string, () => unknown>> = {
      'GET token': () => ({ Statut: habits.access }),
      'POST tarification': () => tarification,
      'POST add_colis': () => ({ Colis: asked.map(add) }),
      'POST lire': () => read(trackings),
      'POST pret': () => ready(trackings),
    }
    const act = acts[`${method} ${path.replace('/api_v1/', '')}`]
    return act ? Response.json(act()) : Response.json({ message: 'Not found' }, { status: 404 })
  }

  const advance: Procolis['advance'] = (tracking, situation, { at, comment = '', told = null } = {}) => {
    const parcel = parcels.get(tracking)
    if (!parcel) throw new Error(`The simulator has no parcel ${tracking}.`)
    if (parcel.situation === inPreparation && !/^En (Préparation|Traitement)/.test(situation))
      throw new Error(`${tracking} is in preparation: it never ships before it is marked as ready.`)
    return Object.assign(parcel, { situation, comment, told, at: at === undefined ? now() : Date.parse(at) })
  }
  const listed = (reference?: string) =>
    [...parcels.values()].filter(({ fields }) => reference === undefined || fields.id_Externe === reference)

  const simulator = startSimulator(options, {
    faultsOn: '^POST /api_v1/add_colis',
    answer,
    control: {
      'GET account': () => ({ credentials }),
      'GET parcels': (_, query) => listed(query.get('reference') ?? undefined),
      'POST habits': (body) => Object.assign(habits, body),
      'POST advance': ({ tracking, situation, ...more }) => advance(String(tracking), String(situation), more),
      'POST reset': () => parcels.clear(),
    },
  })
  return { ...simulator, credentials, habits, parcels: listed, advance, plant: (tracking, fields) => make(tracking, fields, readyToShip) }
}

function rowsIn(body: string): Json[] {
  if (body === '') return []
  const { Colis } = JSON.parse(body) as { Colis?: Json[] }
  return Colis ?? []
}

if (import.meta.main) runSimulator(startProcolis)
