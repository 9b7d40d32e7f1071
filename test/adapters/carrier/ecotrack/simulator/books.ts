import { communesOf, deliveryFee, NOT_SERVED } from './places.ts'

export type Json = Readonly<Record<string, unknown>>

export interface Step {
  readonly status: string
  readonly reason: string
  readonly at: number
}

/** An order in the company's own books. */
export interface Order {
  readonly tracking: string
  readonly createdAt: number
  /** In the names of `create/order`. */
  fields: Json
  history: Step[]
  isValidated: boolean
  isCollectionAsked: boolean
  paymentId: string | null
}

export type Refusal = { readonly errors: Readonly<Record<string, readonly string[]>> } | { readonly code: number; readonly message: string }

const DRAFT = 'prete_a_expedier'
const required = ['nom_client', 'telephone', 'adresse', 'commune', 'code_wilaya', 'montant', 'type']
const words = (value: unknown) => (typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '')

export const statusOf = ({ history }: Order) => history.at(-1)!
/** Nobody moved it yet, and nobody validated it. */
export const isDraft = (order: Order) => !order.isValidated && statusOf(order).status === DRAFT

/** Why the company does not take it; null where it does. */
export function fault(fields: Json): Refusal | null {
  const missing = required.filter((name) => words(fields[name]) === '')
  if (missing.length > 0) return { errors: Object.fromEntries(missing.map((name) => [name, [`Le champ ${name} est obligatoire.`]])) }
  const long = Object.entries(fields).find(([, value]) => words(value).length > 255)
  if (long) return { errors: { [long[0]]: ['Le texte ne peut pas dépasser 255 caractères.'] } }
  const phones = [fields.telephone, fields.telephone_2].filter((phone) => words(phone) !== '')
  if (!phones.every((phone) => /^\d{9,10}$/.test(words(phone))))
    return { errors: { telephone: ['Le téléphone doit avoir 9 ou 10 chiffres.'] } }
  if (!['1', '2', '3', '4'].includes(words(fields.type))) return { errors: { type: ['Le type doit être entre 1 et 4.'] } }
  if (!/^\d+$/.test(words(fields.montant))) return { errors: { montant: ['Le montant doit être un entier.'] } }
  const wilaya = Number(fields.code_wilaya)
  if (wilaya === NOT_SERVED) return { code: 10002, message: 'Wilaya non desservie' }
  const commune = communesOf(wilaya).find(({ nom }) => nom === fields.commune)
  if (!commune) return { errors: { commune: ['La commune est inconnue.'] } }
  const desk = words(fields.stop_desk) === '1'
  return desk && Number(commune.has_stop_desk) === 0 ? { errors: { stop_desk: ['Pas de stop desk dans cette commune.'] } } : null
}

export function createBooks(now: () => number) {
  const orders = new Map<string, Order>()
  const tag = crypto.randomUUID().slice(0, 3).toUpperCase()
  let count = 0

  return {
    /** Newest first. */
    all: () => [...orders.values()].reverse(),
    get: (tracking: string) => orders.get(tracking),

    /** Whether a reference posted again is refused is not documented; here it makes a second order. */
    create(fields: Json): Order | Refusal {
      const refusal = fault(fields)
      if (refusal) return refusal
      const tracking = `ECO${tag}${(++count).toString().padStart(7, '0')}`
      const order: Order = {
        tracking,
        createdAt: now(),
        fields,
        history: [{ status: DRAFT, reason: '', at: now() }],
        isValidated: false,
        isCollectionAsked: false,
        paymentId: null,
      }
      orders.set(tracking, order)
      return order
    },

    remove: (tracking: string) => orders.delete(tracking),
    clear: () => orders.clear(),
  }
}

export type Books = ReturnType<typeof createBooks>

/** Local time in Algeria, without a zone. */
export const localTime = (at: number) => new Date(at + 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** A row of `get/orders`. */
export function rowOf(order: Order): Json {
  const { fields } = order
  return {
    tracking: order.tracking,
    reference: fields.reference ?? null,
    client: words(fields.nom_client).toUpperCase(),
    phone: fields.telephone,
    phone_2: fields.telephone_2 ?? null,
    adresse: fields.adresse,
    commune: fields.commune,
    wilaya_id: Number(fields.code_wilaya),
    montant: `${words(fields.montant)}.00`,
    tarif_prestation: deliveryFee(Number(fields.code_wilaya), { isDesk: words(fields.stop_desk) === '1' }),
    tarif_retour: '200',
    type_id: Number(fields.type),
    created_at: localTime(order.createdAt),
    payment_id: order.paymentId,
    return_id: null,
    status: statusOf(order).status,
    products: fields.produit ?? null,
  }
}
