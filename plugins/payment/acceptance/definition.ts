import { assertEqual, assertUnique, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import { assertFields, assertRateWindows, assertDefinition as isSaneAdapter } from '../../acceptance/definition.ts'
import { memberOf } from '../../kind.ts'
import { CONTRACT, type PaymentAdapter } from '../kind.ts'
import type { Draft } from './draft.ts'
import { hasCalls } from './faults.ts'
import type { CalledMember, Rig } from './rig.ts'

/** Cases about the definition, the rig and the connection test. */
export const definitionCases = (gateway: PaymentAdapter): Draft[] => [
  { name: 'the rig has everything that the gateway needs', run: ({ gateway, rig }) => assertCompleteRig(gateway, rig) },
  { name: 'the definition is sane', run: ({ gateway }) => isSane(gateway) },
  { name: 'the fields can be shown in a form', run: ({ gateway }) => assertFields(gateway) },
  { name: 'members that require each other are complete', run: ({ gateway }) => assertCompletePairs(gateway) },
  {
    name: 'the connection test passes with good credentials',
    run: async ({ gateway, open }) => {
      assertEqual(typeof (await gateway.testConnection(open().context)), 'object', 'answer')
    },
  },
  {
    name: 'wrong credentials are reported as unauthorized',
    unless: !hasCalls(gateway) && 'it makes no calls',
    run: async ({ gateway, open, rig, make }) => {
      const { made } = await make()
      const { context } = open({ credentials: { ...rig.credentials, ...requireMember(rig.badCredentials, 'badCredentials') } })
      const asked = rig.checkout()
      await expectFailure(gateway.testConnection(context), ['unauthorized'], 'connection test')
      await expectFailure(gateway.createCheckout(context, asked), ['unauthorized'], 'createCheckout')
      await expectFailure(gateway.read(context, made.externalId), ['unauthorized'], 'read')
      assertEqual((await rig.seen(asked.paymentId)).checkouts, [], 'checkouts that were created anyway')
    },
  },
]

const members: readonly CalledMember[] = [
  'testConnection',
  'createCheckout',
  'read',
  'capture',
  'expire',
  'refund',
  'payouts.list',
  'payouts.lines',
]

/** Checks that the rig has all members for this gateway. A missing one would silently skip cases. */
function assertCompleteRig(gateway: PaymentAdapter, rig: Rig): void {
  const { webhook, capture, payouts } = gateway
  const calling = hasCalls(gateway) ? members.filter((member) => memberOf(gateway, member)) : []
  const whole: Readonly<Record<string, unknown>> = {
    seen: rig.seen,
    become: rig.become,
    checkout: rig.checkout,
    limits: rig.limits,
    ...(calling.length > 0 && { badCredentials: rig.badCredentials, fail: rig.fail, refusable: rig.refusable }),
    ...Object.fromEntries(calling.map((member) => [`calls.${member}`, rig.calls?.[member]])),
    ...(calling.length > 0 && { statusAt: rig.statusAt ?? rig.lacks?.unknownStatus }),
    ...(calling.length > 0 && { takeBack: rig.takeBack ?? rig.lacks?.takenBack }),
    ...(calling.length > 0 &&
      gateway.refund &&
      rig.lacks?.['refund.pending'] === undefined && {
        delayRefunds: rig.delayRefunds,
        moveRefund: rig.moveRefund,
      }),
    ...(capture && { holding: rig.holding }),
    ...(payouts && { payOut: rig.payOut, seenPayout: rig.seenPayout, movePayout: rig.movePayout }),
    ...(payouts && calling.length > 0 && { pagesOf: rig.pagesOf }),
    ...(webhook && { callback: rig.callback, proof: rig.proof, tells: rig.tells?.length }),
    ...(webhook && rig.proof?.signs && { signed: rig.signed }),
    ...(webhook?.challenges && { challenge: rig.challenge }),
  }
  assertEqual(
    Object.keys(whole).filter((name) => whole[name] === undefined),
    [],
    'members that the rig lacks',
  )
}

function isSane(gateway: PaymentAdapter): void {
  isSaneAdapter(gateway, { name: 'payment', contract: CONTRACT })
  assertRateWindows(gateway)
  check(gateway.currencies.length > 0 && gateway.currencies.every((code) => /^[A-Z]{3}$/.test(code)), 'currencies are ISO codes')
  assertUnique(gateway.currencies, 'currencies')
  check(['major', 'minor'].includes(gateway.unit), `${gateway.unit} is a unit`)
}

function assertCompletePairs({ refund, refunds, currencies, minimum, steps = {}, webhook, credentials }: PaymentAdapter): void {
  assertEqual(refund !== undefined, refunds !== undefined, 'refund and refunds')
  check(minimum === undefined || currencies.length === 1, 'a minimum is only possible with one currency')
  check(
    Object.keys(steps).every((code) => currencies.includes(code)),
    'steps are only for its currencies',
  )
  check(webhook?.unsigned === undefined || credentials[webhook.unsigned]?.secret, 'an unsigned webhook has a secret')
}
