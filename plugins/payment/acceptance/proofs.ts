import { assertEqual, check, requireMember, skipCase } from '../../acceptance/checks.ts'
import { answerTo, eventsIn, isProven } from '../../acceptance/webhooks.ts'
import type { InboundRequest } from '../../adapter.ts'
import type { PaymentAdapter } from '../kind.ts'
import type { Bench, CreatedCheckout } from './bench.ts'
import type { Draft } from './draft.ts'
import type { Proof, Rig } from './rig.ts'

const none = 'it has no callbacks'
/** Accepted differences of a callback's time: clocks differ, and callbacks take time. */
const soonMs = [60_000, -60_000]
const farMs = [3_600_000, 86_400_000, -3_600_000, -86_400_000]
/** Maximum number of changed bytes in a long body; both ends are included. */
const bytesTried = 64
const anotherSecret = 'another-secret-0987654321'

/** Cases about verifying callbacks. */
export const proofCases = (gateway: PaymentAdapter, { proof, lacks }: Rig): Draft[] => {
  const unless = !gateway.webhook && none
  const unsigned = unless || (!proof?.signs && 'its proof does not sign the body')
  return [
    { name: 'a challenge is answered', unless: !gateway.webhook?.challenges && 'it sends no challenge', run: answersChallenge },
    { name: 'a callback with its proof is accepted', unless, run: acceptsProof },
    { name: 'a callback without its proof is rejected', unless, run: needsProof },
    { name: 'a proof with any character changed is rejected', unless, run: needsEachLetter },
    { name: 'a body with any byte changed is rejected', unless: unsigned, run: needsEachByte },
    { name: 'an empty body is rejected', unless, run: needsBody },
    { name: 'a callback for another account is rejected', unless, run: isOfOneAccount },
    {
      name: 'without a secret every callback is rejected',
      unless: unless || (!hasOptionalSecret(gateway) && 'its secret is required'),
      run: needsSecret,
    },
    { name: 'a callback of long ago or from the future is rejected', unless: unsigned || lacks?.age, run: growsOld },
    { name: 'a body with unusual spacing and characters is accepted and parsed', unless: unsigned, run: acceptsBytes },
  ]
}

async function paid(bench: Bench): Promise<CreatedCheckout & { request: InboundRequest }> {
  const one = await bench.make()
  const request = await requireMember(bench.rig.callback, 'callback')(one.desk, [{ externalId: one.made.externalId, status: 'paid' }])
  return { ...one, request }
}

const isAccepted = ({ gateway }: Bench, request: InboundRequest, { desk }: Pick<CreatedCheckout, 'desk'>) =>
  isProven(gateway, request, desk.context)

async function answersChallenge({ gateway, rig, open }: Bench): Promise<void> {
  const desk = open()
  const { request, holds } = await requireMember(rig.challenge, 'challenge')(desk)
  const answer = await answerTo(gateway, request, desk.context)
  check(answer && answer.status >= 200 && answer.status < 300, 'the answer is a success')
  check(answer.body.includes(holds), `the answer has ${holds}`)
  const other = { ...request, url: request.url.split('?')[0] ?? '' }
  assertEqual(await answerTo(gateway, other, desk.context), null, 'answer to a request that is not a challenge')
  assertEqual(await answerTo(gateway, request, open().context), null, 'answer of another connection')
}

async function acceptsProof(bench: Bench): Promise<void> {
  const one = await paid(bench)
  assertEqual(await isAccepted(bench, one.request, one), true, 'a callback with its proof')
  assertEqual(await isAccepted(bench, one.request, one), true, 'the same callback again')
}

async function needsProof(bench: Bench): Promise<void> {
  const one = await paid(bench)
  const proof = requireMember(bench.rig.proof, 'proof')
  const forged: Readonly<Record<string, InboundRequest>> = {
    'no proof': removeProof(one.request, proof),
    'an empty proof': withProof(one.request, proof, () => ''),
    'half a proof': withProof(one.request, proof, (value) => value.slice(0, value.length >> 1)),
    'a longer proof': withProof(one.request, proof, (value) => `${value}0`),
    'a proof of nonsense': withProof(one.request, proof, (value) => value.replace(/[0-9a-f]/gi, 'z')),
    'a proof twice': withProof(one.request, proof, (value) => `${value}, ${value}`),
  }
  for (const [what, request] of Object.entries(forged)) assertEqual(await isAccepted(bench, request, one), false, what)
}

const flipCase = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())

/**
 * Changes each character of a proof, and the case of all characters. Only letters and digits are changed, since others may belong to the
 * encoding.
 */
async function needsEachLetter(bench: Bench): Promise<void> {
  const one = await paid(bench)
  const proof = requireMember(bench.rig.proof, 'proof')
  const value = proofIn(one.request, proof)
  for (const at of [...value].flatMap((letter, at) => (/[0-9a-z]/i.test(letter) ? [at] : []))) {
    const other = value[at] === '0' ? '1' : '0'
    const changed = `${value.slice(0, at)}${other}${value.slice(at + 1)}`
    assertEqual(
      await isAccepted(
        bench,
        withProof(one.request, proof, () => changed),
        one,
      ),
      false,
      `a proof with character ${at} changed`,
    )
  }
  const inOtherCase = [...value].map(flipCase).join('')
  if (inOtherCase === value) return
  const request = withProof(one.request, proof, () => inOtherCase)
  assertEqual(await isAccepted(bench, request, one), false, 'a proof with changed case')
}

async function needsEachByte(bench: Bench): Promise<void> {
  const one = await paid(bench)
  const { body } = one.request
  const step = Math.max(1, Math.floor(body.length / bytesTried))
  const places = [...Array.from({ length: Math.ceil(body.length / step) }, (_, at) => at * step), body.length - 1]
  for (const at of places) {
    const changed = body.map((byte, place) => (place === at ? byte ^ 1 : byte))
    assertEqual(await isAccepted(bench, { ...one.request, body: changed }, one), false, `a body with byte ${at} changed`)
  }
  const others = { more: new Uint8Array([...body, 0x20]), fewer: body.slice(0, -1), before: new Uint8Array([0x20, ...body]) }
  for (const [what, changed] of Object.entries(others))
    assertEqual(await isAccepted(bench, { ...one.request, body: changed }, one), false, `a body with ${what}`)
}

async function needsBody(bench: Bench): Promise<void> {
  const one = await paid(bench)
  const proof = requireMember(bench.rig.proof, 'proof')
  const empty = { ...one.request, body: new Uint8Array() }
  const isOfQuery = proof.in === 'query' && !proof.signs
  if (isOfQuery) assertEqual(await eventsIn(bench.gateway, empty, one.desk.context), [], 'events of an empty body')
  else assertEqual(await isAccepted(bench, empty, one), false, 'an empty body')
}

async function isOfOneAccount(bench: Bench): Promise<void> {
  const { gateway, rig, open } = bench
  const one = await paid(bench)
  const secrets = Object.entries(gateway.credentials).filter(([, field]) => field.secret)
  const changed = Object.fromEntries(secrets.map(([name]) => [name, anotherSecret]))
  const desk = open({ credentials: { ...rig.credentials, ...changed }, connectionId: 'int_other' })
  assertEqual(await isAccepted(bench, one.request, { desk }), false, 'a callback for another account')
}

const hasOptionalSecret = ({ credentials }: PaymentAdapter) => Object.values(credentials).some(({ secret, optional }) => secret && optional)

async function needsSecret(bench: Bench): Promise<void> {
  const { gateway, rig, open } = bench
  const one = await paid(bench)
  const optional = Object.entries(gateway.credentials).filter(([, field]) => field.secret && field.optional)
  const unset = Object.fromEntries(optional.map(([name]) => [name, undefined]))
  const desk = open({ credentials: { ...rig.credentials, ...unset }, storage: one.desk.context.storage })
  assertEqual(await isAccepted(bench, one.request, { desk }), false, 'a callback without a secret')
}

/** Checks that the time of signing limits the validity of a callback: it is accepted soon after, and rejected an hour later. */
async function growsOld(bench: Bench): Promise<void> {
  const one = await paid(bench)
  const proof = requireMember(bench.rig.proof, 'proof')
  const isTimed =
    proof.time !== undefined ||
    /(?<!\d)(?:1[5-9]|2\d)\d{8}(?:\d{3})?(?!\d)/.test(proofIn(one.request, proof).replace(/[0-9a-f]{40,}/gi, ''))
  if (!isTimed) skipCase('its proof has no time of signing, and the rig names no header with it')
  const isAcceptedAt = (ms: number) =>
    isAccepted(bench, one.request, { desk: bench.open({ storage: one.desk.context.storage, now: () => Date.now() + ms }) })
  for (const ms of soonMs) assertEqual(await isAcceptedAt(ms), true, `a callback that was signed ${-ms / 1000} s from now`)
  for (const ms of farMs) assertEqual(await isAcceptedAt(ms), false, `a callback that was signed ${-ms / 1000} s from now`)
  if (proof.time === undefined) return
  const { [proof.time]: time = '', ...headers } = one.request.headers
  check(time !== '', `the callback has its time in header ${proof.time}`)
  assertEqual(await isAccepted(bench, { ...one.request, headers }, one), false, 'a callback without its time')
  const other = { ...headers, [proof.time]: String(Number(time) + 1) }
  assertEqual(await isAccepted(bench, { ...one.request, headers: other }, one), false, 'a callback with a changed time')
}

/**
 * Sends the same JSON with different spacing and characters that PHP and others escape. An adapter that serializes the JSON again to verify
 * it gets other bytes.
 */
async function acceptsBytes(bench: Bench): Promise<void> {
  const one = await paid(bench)
  const { gateway } = bench
  const words = new TextDecoder().decode(one.request.body)
  if (!/^\s*[[{]/.test(words)) skipCase('its callbacks are not JSON')
  const expected = await eventsIn(gateway, one.request, one.desk.context)
  const odd = `\r\n\t ${JSON.stringify({ ...JSON.parse(words), 'é/قميص 👕': 'a/b \u2028 ü' }, null, 7)} \n`
  const request = await requireMember(bench.rig.signed, 'signed')(one.desk, new TextEncoder().encode(odd))
  assertEqual(await isAccepted(bench, request, one), true, 'a body with unusual spacing and characters')
  assertEqual(await eventsIn(gateway, request, one.desk.context), expected, 'events')
}

const base = 'https://here.invalid'

function proofIn({ headers, url, body }: InboundRequest, { in: place, name }: Proof): string {
  const proofInBody = () => (JSON.parse(new TextDecoder().decode(body)) as Readonly<Record<string, unknown>>)[name]
  const found = place === 'header' ? headers[name] : place === 'query' ? new URL(url, base).searchParams.get(name) : proofInBody()
  check(typeof found === 'string' && found !== '', `the callback has its proof in ${place} ${name}`)
  return found
}

/** Changes the proof of a request; `undefined` removes it. */
function withProof(request: InboundRequest, proof: Proof, change: (value: string) => string | undefined): InboundRequest {
  const { in: place, name } = proof
  const value = change(proofIn(request, proof))
  if (place === 'header') {
    const { [name]: _, ...others } = request.headers
    return { ...request, headers: value === undefined ? others : { ...others, [name]: value } }
  }
  if (place === 'query') {
    const { pathname, searchParams } = new URL(request.url, base)
    searchParams.delete(name)
    if (value !== undefined) searchParams.set(name, value)
    return { ...request, url: `${pathname}?${searchParams}` }
  }
  const row = JSON.parse(new TextDecoder().decode(request.body)) as Readonly<Record<string, unknown>>
  return { ...request, body: new TextEncoder().encode(JSON.stringify({ ...row, [name]: value })) }
}

const removeProof = (request: InboundRequest, proof: Proof) => withProof(request, proof, () => undefined)
