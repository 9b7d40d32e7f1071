import { example } from '../platform/geo/countries/index.ts'
import { connectors } from './examples/connectors.ts'
import { identity } from './examples/identity.ts'
import { idsByField } from './examples/ids.ts'
import { money } from './examples/money.ts'
import { orders } from './examples/orders.ts'
import { shop } from './examples/shop.ts'
import { tools } from './examples/tools.ts'

type Node = Record<string, unknown>

/** Example values by field name, for fields that mean the same everywhere. */
const byName: Readonly<Record<string, unknown>> = {
  ...example,
  ...idsByField,
  name: 'Amina Saadi',
  customerName: 'Amina Saadi',
  firstName: 'Amina',
  lastName: 'Saadi',
  username: 'amina.saadi',
  password: 'correct horse battery',
  newPassword: 'correct horse battery',
  currentPassword: 'correct horse battery',
  deliveryType: 'home',
  reference: 'ORD-1042',
  sku: 'SNK-42',
  price: 6500,
  compareAtPrice: 7900,
  cost: 3200,
  unitPrice: 6500,
  amount: 6500,
  codAmount: 6500,
  declaredValue: 6500,
  quantity: 1,
  weightKg: 1.2,
  initialStock: 25,
  note: 'Call before you come.',
  notes: 'Call before you come.',
  reason: 'The customer changed her mind.',
  description: 'Made of wool, in three sizes.',
  title: 'About us',
  slug: 'wool-basket',
  url: 'https://shop.example/hooks/serai',
  website: 'https://shop.example',
  returnTo: 'https://shop.example/thanks',
  redirectUris: ['https://app.example/callback'],
  carrierCode: 'sandbox',
  tracking: 'SBX000000000000000042',
  trackings: ['SBX000000000000000042'],
  language: 'fr',
  namespace: 'main',
  key: 'SNK-42',
  code: 'EID10',
  latitude: 36.7167,
  longitude: 3.1833,
  plan: 'free',
  text: 'Which orders wait for confirmation?',
  prompt: 'A wool basket on a wooden table, in daylight',
  model: 'sandbox-model/writer',
  platform: 'sandbox-shop',
  state: 'Alger',
  subject: 'Your order is on its way',
  message: 'It arrives tomorrow. Keep your phone at hand.',
  force: false,
}

/** Examples of whole bodies and schemas, by schema or operation. */
const byPlace: Readonly<Record<string, unknown>> = { ...orders, ...shop, ...money, ...connectors, ...identity, ...tools }

/** Candidate values for fields known by their pattern only. The first that fits is the example. */
const byPattern: readonly unknown[] = [
  ...Object.values(example),
  'sandbox',
  '2031-01-01',
  '1:1',
  '1.5',
  '/thanks',
  'shop.example',
  'https://shop.example',
  'https://shop.example/products/{slug}',
]

/** Returns an example of a place or else of a field, or undefined if its schema already implies one. */
export function exampleOf(name: string, schema: Node, places: readonly string[]): unknown {
  const place = places.find((one) => Object.hasOwn(byPlace, one))
  if (place !== undefined) return byPlace[place]
  const known = byName[name]
  if (known !== undefined && fits(known, schema)) return known
  if (schema.type !== 'string' || Array.isArray(schema.enum)) return undefined
  if (schema.format === 'date-time') return '2031-01-01T09:00:00.000Z'
  if (schema.format === 'date') return '2031-01-01'
  if (schema.format === 'email') return example.email
  if (/^(id|.*Id)$/.test(name)) return fits('01jd3k8s6wq2v5x7y9z0a1b2c3', schema) ? '01jd3k8s6wq2v5x7y9z0a1b2c3' : undefined
  if (schema.pattern !== undefined) return byPattern.find((value) => fits(value, schema))
  return Number(schema.minLength ?? 0) <= 4 && Number(schema.maxLength ?? 9) >= 4 ? 'text' : undefined
}

/** Returns true if the schema accepts the value. */
function fits(value: unknown, schema: Node): boolean {
  const {
    type,
    pattern,
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
    minimum = Number.NEGATIVE_INFINITY,
    maximum = Number.POSITIVE_INFINITY,
  } = schema
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  if (Array.isArray(value)) return type === 'array'
  if (typeof value === 'string')
    return (
      type === 'string' &&
      value.length >= Number(minLength) &&
      value.length <= Number(maxLength) &&
      (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value))
    )
  if (typeof value === 'boolean') return type === 'boolean'
  if (typeof value !== 'number') return false
  return (type === 'number' || (type === 'integer' && Number.isInteger(value))) && value >= Number(minimum) && value <= Number(maximum)
}
