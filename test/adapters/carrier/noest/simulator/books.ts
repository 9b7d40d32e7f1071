import type { SimulatorOptions } from '../../../../support/simulator/simulator.ts'
import { communes, desks, wilayas } from './places.ts'

export type Json = Record<string, unknown>

export interface NoestOptions extends SimulatorOptions {
  /** Whether a reference that is already there makes a second parcel; not documented, so both. */
  readonly duplicates?: 'taken' | 'refused'
  /** `OrderInfo` with what is documented alone. */
  readonly thin?: boolean
  /** The feed's direction is not documented. */
  readonly newestFirst?: boolean
  /** Both have been seen. */
  readonly passedAs?: 'array' | 'object'
  /** A validation that is answered as done and passes nothing. */
  readonly validatesNothing?: boolean
  /** A suspended account takes no order. */
  readonly suspended?: boolean
}

export interface Event {
  readonly key: string
  readonly content: string
  readonly at: number
}

export interface Order {
  readonly tracking: string
  fields: Json
  events: Event[]
  /** A change that the hub has been asked for. */
  request?: Json
}

/** Why the carrier does not take it: its code, its words, and the status they come with. */
export interface Refusal {
  readonly error: string
  readonly message: string
  readonly status: 200 | 422
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

const AMOUNT_MAX = 500_000
const required = ['client', 'phone', 'adresse', 'montant', 'type_id', 'produit'] as const
const refusal = (error: string, message: string, status: 200 | 422): Refusal => ({ error, message, status })
const invalid = (field: string, message: string): Refusal => ({
  ...refusal('validation', message, 422),
  errors: { [field]: [message] },
})

const isDraft = ({ events }: Order) => events.every(({ key }) => key === 'upload')
const isWithMerchant = ({ events }: Order) => events.every(({ key }) => key === 'upload' || key === 'customer_validation')

/** As the carrier checks a new order; `null` where it takes it. */
function faultIn(row: Json): Refusal | null {
  const missing = required.find((field) => row[field] === undefined || row[field] === '')
  if (missing) return invalid(missing, `Le champ ${missing} est obligatoire.`)
  if (String(row.reference ?? '').length < 5) return invalid('reference', 'Le champ reference doit contenir au moins 5 caractères.')
  if (!/^\d{9,10}$/.test(String(row.phone))) return invalid('phone', 'Le champ phone doit contenir entre 9 et 10 chiffres.')
  if (String(row.client).length > 255) return invalid('client', 'Le champ client ne peut contenir plus de 255 caractères.')
  if (![1, 2, 3].includes(Number(row.type_id))) return invalid('type_id', 'Le champ type_id est invalide.')
  if (String(row.adresse).length > 255) return invalid('adresse', 'Le champ adresse ne peut contenir plus de 255 caractères.')
  if (Number(row.montant) > AMOUNT_MAX) return refusal('max_amount_exceeded', 'Montant maximum dépassé', 422)
  if (!wilayas.some(({ code, is_active }) => code === row.wilaya_id && is_active === 1)) return invalid('wilaya_id', 'Wilaya invalide.')
  return placeFault(row)
}

function placeFault(row: Json): Refusal | null {
  if (row.stop_desk === 1) {
    const known = Object.hasOwn(desks, String(row.station_code)) && Number.parseInt(String(row.station_code), 10) === row.wilaya_id
    return known ? null : refusal('station_code', 'Code station invalide', 200)
  }
  const commune = communes.find(({ nom, wilaya_id }) => nom === row.commune && wilaya_id === row.wilaya_id)
  if (!commune) return invalid('commune', 'Commune invalide.')
  return commune.is_active === 1 ? null : refusal('inactive_commune', 'Commune inactive', 422)
}

export function createBooks(options: NoestOptions) {
  const now = options.now ?? Date.now
  const orders = new Map<string, Order>()
  let count = 0

  const get = (tracking: unknown) => orders.get(String(tracking))
  const of = (tracking: string): Order => {
    const order = get(tracking)
    if (!order) throw new Error(`The simulator has no parcel ${tracking}.`)
    return order
  }
  const all = (reference?: string) => [...orders.values()].filter(({ fields }) => reference === undefined || fields.reference === reference)
  const happened = (order: Order, key: string, content = '', at = now()) => {
    order.events.push({ key, content, at })
    order.events.sort((a, b) => a.at - b.at)
  }

  return {
    all,
    get,

    create(row: Json): Order | Refusal {
      if (options.suspended) return refusal('account_suspended', 'Compte suspendu', 422)
      const fault = faultIn(row)
      if (fault) return fault
      if (options.duplicates === 'refused' && all(String(row.reference)).length > 0)
        return refusal('duplicate_order', 'Colis déja existant', 200)
      const tracking = `NSM-${String(row.wilaya_id).padStart(2, '0')}A-${String(++count).padStart(8, '0')}`
      const order: Order = { tracking, fields: row, events: [] }
      happened(order, 'upload')
      orders.set(tracking, order)
      return order
    },

    /** A draft becomes real. */
    validate(order: Order): Refusal | null {
      if (!isDraft(order)) return refusal('already_validated', 'Commande déjà validée', 422)
      happened(order, 'customer_validation')
      return null
    },

    remove(order: Order): Refusal | null {
      if (!isDraft(order)) return refusal('already_validated', 'Impossible de supprimer une commande validée', 200)
      orders.delete(order.tracking)
      return null
    },

    /** Before dispatch: what is written holds at once. */
    edit(order: Order, change: Json): Refusal | null {
      if (!isWithMerchant(order)) return refusal('already_validated', 'La commande est déjà expédiée', 422)
      const { tel, tel2, wilaya, product, client, adresse, commune, montant, remarque, poids, stop_desk } = change
      const renamed = { phone: tel, phone_2: tel2, wilaya_id: wilaya, produit: product }
      const given = Object.entries({ ...renamed, client, adresse, commune, montant, remarque, poids, stop_desk })
      const fields = { ...order.fields, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) }
      const fault = faultIn(fields)
      if (fault === null) order.fields = fields
      return fault
    },

    /** After validation: a request, which the hub grants or not. */
    request(order: Order, { tel, adresse, commune, montant, stop_desk, code_station }: Json): Refusal | null {
      if (isDraft(order)) return refusal('not_validated', 'La commande n’est pas validée', 422)
      order.request = { tel, adresse, commune, montant, stop_desk, code_station }
      return null
    },

    approve(tracking: string): Order {
      const order = of(tracking)
      const { tel, code_station, ...same } = order.request ?? {}
      const given = Object.entries({ ...same, phone: tel, station_code: code_station }).filter(([, value]) => value !== undefined)
      order.fields = { ...order.fields, ...Object.fromEntries(given) }
      delete order.request
      happened(order, 'edited_informations')
      return order
    },

    advance(tracking: string, key: string, more: { content?: string; at?: string } = {}): Order {
      const order = of(tracking)
      happened(order, key, more.content ?? '', more.at === undefined ? now() : Date.parse(more.at))
      return order
    },
  }
}

export type Books = ReturnType<typeof createBooks>
