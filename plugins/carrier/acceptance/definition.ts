import { assertEqual, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import { assertFields, assertRateWindows, assertDefinition as isSaneAdapter } from '../../acceptance/definition.ts'
import { type Carrier, CONTRACT, type StatusRule } from '../contract.ts'
import { cashStatuses, deliveryTypes, type ParcelStatus, parcelStatuses } from '../model.ts'
import { foldStatus, statusReader } from '../statuses.ts'
import type { Draft } from './draft.ts'
import type { Fault, Rig } from './rig.ts'

// Statuses without which a parcel cannot be followed to its end. A carrier need not distinguish those in between.
const reachable: readonly ParcelStatus[] = ['submitted', 'out_for_delivery', 'delivery_failed', 'delivered', 'returning', 'returned']
const flags = ['ready_for_pickup', 'abandoned', 'damaged']

/** Cases about the definition, the rig and the connection test. */
export const definitionCases = (carrier: Carrier, rig: Rig): Draft[] => [
  { name: 'the rig has everything that the carrier needs', run: ({ carrier, rig }) => rigIsWhole(carrier, rig) },
  { name: 'the definition is sane', run: ({ carrier }) => isSane(carrier) },
  { name: 'the fields can be shown in a form', run: ({ carrier }) => assertFields(carrier) },
  { name: 'the rate windows are valid', run: ({ carrier }) => assertRateWindows(carrier) },
  { name: 'it has what its exactly-once class needs', run: ({ carrier }) => classIsKept(carrier) },
  { name: 'members that require each other are complete', run: ({ carrier }) => pairsAreWhole(carrier) },
  { name: 'raw statuses have known meanings', run: ({ carrier }) => statusesAreKnown(carrier) },
  { name: 'a parcel can be followed to its end', run: ({ carrier }) => statusesSuffice(carrier) },
  {
    name: 'the connection test passes with good credentials',
    run: async ({ carrier, open }) => {
      assertEqual(typeof (await carrier.testConnection(open().context)), 'object', 'answer')
    },
  },
  {
    name: 'the connection test fails with bad credentials',
    unless: !rig.badCredentials && carrier.net.length === 0 && 'it makes no calls',
    run: async ({ carrier, open, rig }) => {
      const { context } = open({ credentials: { ...rig.credentials, ...requireMember(rig.badCredentials, 'badCredentials') } })
      await expectFailure(carrier.testConnection(context), ['unauthorized'], 'connection test')
      await expectFailure(carrier.send(context, rig.shipment()), ['unauthorized'], 'send')
    },
  },
]

/** Checks that the rig has all members for this carrier. A missing one would silently skip cases. */
function rigIsWhole(carrier: Carrier, rig: Rig): void {
  const { net, rateWindows, validate, webhook, cash, fees, rates, serviceFees, stockProducts, setupWebhook } = carrier
  const { trackMax, sendMany } = carrier
  const faults: readonly Fault[] = ['ignored', 'no_answer', 'lost_answer', 'malformed', 'mumbled', 'error_before', 'error_after']
  const callsSomebody = net.length > 0
  const whole: Readonly<Record<string, unknown>> = {
    seen: rig.seen,
    limits: rig.limits,
    refusable: rig.refusable,
    raw: rig.raw?.returning && rig.raw.returned,
    ...(callsSomebody && { badCredentials: rig.badCredentials, garbleReads: rig.garbleReads, steps: rig.steps?.create }),
    ...(callsSomebody && Object.fromEntries(faults.map((fault) => [`faults.${fault}`, rig.faults?.[fault]]))),
    ...(callsSomebody && rateWindows.length > 0 && { 'faults.rate_limited': rig.faults?.rate_limited }),
    ...(trackMax && { 'limits.track': rig.limits?.track }),
    ...(sendMany && { 'limits.sendMany': rig.limits?.sendMany }),
    ...(validate && { modes: rig.modes }),
    ...(webhook && { callback: rig.callback, signed: rig.signed }),
    ...(webhook?.challenges && { challenge: rig.challenge }),
    ...(cash && { pay: rig.pay }),
    ...((fees || rates) && { prices: rig.prices }),
    ...(serviceFees && { charges: rig.charges }),
    ...(stockProducts && { stock: rig.stock }),
    ...(setupWebhook && { setUpGives: rig.setUpGives }),
  }
  assertEqual(
    Object.keys(whole).filter((name) => whole[name] === undefined),
    [],
    'members that the rig lacks',
  )
  check((rig.weightStepGrams ?? 1) <= 1000, 'weightStepGrams is at most 1000')
}

function isSane(carrier: Carrier): void {
  isSaneAdapter(carrier, { name: 'carrier', contract: CONTRACT })
  check(carrier.countries.length > 0 && carrier.countries.every((code) => /^[A-Z]{2}$/.test(code)), 'countries are ISO codes')
  check(/^[A-Z]{3}$/.test(carrier.currency), 'currency is an ISO code')
  check(carrier.settleSeconds >= 0 && carrier.settleSeconds <= 3600, 'settleSeconds is between 0 and 3600')
  check(carrier.deliveryTypes.length > 0, 'it has a delivery type')
  for (const type of carrier.deliveryTypes) check(deliveryTypes.includes(type), `${type} is a delivery type`)
  check(carrier.codMax === undefined || carrier.codMax > 0, 'codMax is positive')
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
  check(carrier.webhook || carrier.track || carrier.list, 'it has webhook, track or list')
  for (const status of [...carrier.editableIn, ...carrier.cancellableIn]) check(parcelStatuses.includes(status), `${status} is a status`)
}

function statusesAreKnown({ statuses }: Carrier): void {
  const meanings = new Map<string, string>()
  for (const [raw, rule] of Object.entries(statuses)) {
    isKnown(raw, rule)
    const before = meanings.get(foldStatus(raw)) ?? JSON.stringify(rule)
    assertEqual(JSON.stringify(rule), before, `meaning of ${raw} and of its other spellings`)
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
  check(status !== 'created' && status !== 'submitting', `${raw}: ${status} is only for parcels that the carrier does not have`)
}

function statusesSuffice({ statuses }: Carrier): void {
  const read = statusReader(statuses)
  const reached = new Set(Object.keys(statuses).map((raw) => read(raw)?.status))
  assertEqual(
    reachable.filter((status) => !reached.has(status)),
    [],
    'statuses without a raw status',
  )
}
