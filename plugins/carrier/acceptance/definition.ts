import type { Draft } from '../acceptance.ts'
import { type Carrier, CONTRACT, type StatusRule } from '../contract.ts'
import { cashStatuses, deliveryTypes, type ParcelStatus, parcelStatuses } from '../model.ts'
import { foldStatus, statusReader } from '../statuses.ts'
import { check, fails, same, unique } from './bench.ts'
import type { Rig } from './rig.ts'

// Without these no parcel can be followed to its end.
const needed: readonly ParcelStatus[] = [
  'submitted',
  'in_transit',
  'out_for_delivery',
  'delivery_failed',
  'delivered',
  'returning',
  'returned',
]
const flags = ['ready_for_pickup', 'abandoned', 'damaged']
const hostForm = /^(?=.{4,253}$)(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/
const fieldForm = /^[a-z][A-Za-z0-9]*$/

export const definitionCases = (_: Carrier, rig: Rig): Draft[] => [
  { name: 'the definition is sane', run: ({ carrier }) => isSane(carrier) },
  { name: 'the fields can be asked for in a form', run: ({ carrier }) => fieldsAreSane(carrier) },
  { name: 'the rate windows can be kept', run: ({ carrier }) => windowsAreSane(carrier) },
  { name: 'it has what its exactly-once class needs', run: ({ carrier }) => classIsKept(carrier) },
  { name: 'members that belong together are together', run: ({ carrier }) => pairsAreWhole(carrier) },
  { name: 'raw statuses mean known things', run: ({ carrier }) => statusesAreKnown(carrier) },
  { name: 'a parcel can be followed to its end', run: ({ carrier }) => statusesSuffice(carrier) },
  {
    name: 'the connection test passes with good credentials',
    run: async ({ carrier, open }) => {
      same(typeof (await carrier.testConnection(open().context)), 'object', 'answer')
    },
  },
  {
    name: 'the connection test fails with bad credentials',
    unless: !rig.badCredentials && 'it has no credentials that can be wrong',
    run: async ({ carrier, open, rig }) => {
      const { context } = open({ credentials: { ...rig.credentials, ...rig.badCredentials } })
      await fails(carrier.testConnection(context), ['unauthorized'], 'connection test')
      await fails(carrier.send(context, rig.shipment()), ['unauthorized'], 'send')
    },
  },
]

function isSane(carrier: Carrier): void {
  same(carrier.kind, 'carrier', 'kind')
  same(carrier.contract, CONTRACT, 'contract')
  check(/^[a-z][a-z0-9-]{1,39}$/.test(carrier.slug), `slug ${carrier.slug} is lower case letters, digits and hyphens`)
  check(carrier.label.trim() !== '', 'label is not empty')
  check(!carrier.website || URL.canParse(carrier.website), 'website is an address')
  check(carrier.countries.length > 0 && carrier.countries.every((code) => /^[A-Z]{2}$/.test(code)), 'countries are ISO codes')
  check(/^[A-Z]{3}$/.test(carrier.currency), 'currency is an ISO code')
  for (const host of carrier.net) check(hostForm.test(host), `net: ${host} is a plain host name`)
  unique(carrier.net, 'hosts')
  check(carrier.settleSeconds >= 0 && carrier.settleSeconds <= 3600, 'settleSeconds is between 0 and 3600')
  check(carrier.deliveryTypes.length > 0, 'it delivers somehow')
  for (const type of carrier.deliveryTypes) check(deliveryTypes.includes(type), `${type} is a delivery type`)
  check(carrier.codMax === undefined || carrier.codMax > 0, 'codMax is positive')
}

function fieldsAreSane({ credentials, settings }: Carrier): void {
  const fields = Object.entries({ ...settings, ...credentials })
  same(fields.length, Object.keys(settings).length + Object.keys(credentials).length, 'fields with names of their own')
  for (const [name, field] of fields) {
    check(fieldForm.test(name), `field ${name} is camelCase`)
    check(field.label.trim() !== '', `field ${name} has a label`)
    check(!(field.secret && field.default !== undefined), `secret ${name} has no default`)
    if (field.pattern) new RegExp(`^(?:${field.pattern})$`, 'u')
    const type = field.type ?? 'text'
    check(field.default === undefined || typeof field.default === (type === 'text' ? 'string' : type), `default of ${name} is a ${type}`)
  }
  for (const [name, field] of Object.entries(settings)) check(!field.secret, `setting ${name} is no secret; make it a credential`)
}

function windowsAreSane({ rateWindows }: Carrier): void {
  for (const { calls, seconds } of rateWindows) {
    check(Number.isInteger(calls) && calls > 0 && seconds > 0, `${calls} calls in ${seconds} s can be kept`)
  }
  unique(
    rateWindows.map(({ seconds }) => String(seconds)),
    'lengths of the windows',
  )
}

function classIsKept({ exactlyOnce, findByReference }: Carrier): void {
  check(['idempotencyKey', 'findByReference', 'unsafe'].includes(exactlyOnce), `${exactlyOnce} is a class`)
  if (exactlyOnce === 'findByReference') check(findByReference, 'findByReference is there')
}

function pairsAreWhole(carrier: Carrier): void {
  check(!carrier.sendMany === (carrier.sendManyMax === undefined), 'sendMany and sendManyMax')
  check(!carrier.trackMax || carrier.track, 'trackMax needs track')
  check(!carrier.edit === (carrier.editableIn.length === 0), 'edit and editableIn')
  check(!carrier.cancel === (carrier.cancellableIn.length === 0), 'cancel and cancellableIn')
  check(!carrier.setupWebhook || carrier.webhook, 'setupWebhook needs webhook')
  check(
    !carrier.webhook?.unsigned || (carrier.track && carrier.credentials[carrier.webhook.unsigned]?.secret),
    'an unsigned webhook has a secret and track',
  )
  check(carrier.webhook || carrier.track || carrier.list, 'some way to hear of a parcel')
  for (const status of [...carrier.editableIn, ...carrier.cancellableIn]) check(parcelStatuses.includes(status), `${status} is a status`)
}

function statusesAreKnown({ statuses }: Carrier): void {
  const meanings = new Map<string, string>()
  for (const [raw, rule] of Object.entries(statuses)) {
    isKnown(raw, rule)
    const before = meanings.get(foldStatus(raw)) ?? JSON.stringify(rule)
    same(JSON.stringify(rule), before, `${raw} and the status spelt alike`)
    meanings.set(foldStatus(raw), before)
  }
}

function isKnown(raw: string, rule: StatusRule): void {
  if (rule === null) return
  const { status, cash, flag } =
    typeof rule === 'string' ? { status: rule } : { status: undefined, cash: undefined, flag: undefined, ...rule }
  check(!status || parcelStatuses.includes(status), `${raw}: ${status} is a status`)
  check(!cash || cashStatuses.includes(cash), `${raw}: ${cash} is a cash status`)
  check(!flag || flags.includes(flag), `${raw}: ${flag} is a flag`)
  check(status !== 'created' && status !== 'submitting', `${raw}: ${status} is said of parcels that the carrier does not have`)
}

function statusesSuffice({ statuses }: Carrier): void {
  const read = statusReader(statuses)
  const reached = new Set(Object.keys(statuses).map((raw) => read(raw)?.status))
  same(
    needed.filter((status) => !reached.has(status)),
    [],
    'statuses that no raw status means',
  )
}
