import { expect, test } from 'bun:test'
import { fingerprintOf } from '../../../core/http/body/canonical.ts'
import { digestKeyOf, openVault } from '../../../core/lib/crypto/crypto.ts'
import { byTheClock, slowness } from '../../support/clock.ts'

const key = new Uint8Array(32).fill(7)
const vault = openVault([key], digestKeyOf(key))

/** What was hashed before it was done in pieces: keys that were used a few days ago are known still. */
const whole = (value: unknown) =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

test('a body has the same fingerprint as ever, however its members are ordered', async () => {
  const values = [
    null,
    undefined,
    0,
    'é"\\\u0000\ud800',
    [],
    {},
    [[], {}, [null, undefined, true, 1.5e300, 'x']],
    { b: 1, a: { d: [{ z: 1, y: undefined }], c: 'ü' }, 10: 'ten', 9: 'nine', '': 0, é: 1, Z: 2 },
    JSON.parse('{"__proto__": {"b": 1, "a": 2}, "constructor": 3}'),
    { long: 'é'.repeat(100_000), list: Array.from({ length: 5_000 }, (_, at) => ({ b: at, a: `${at}` })) },
  ]
  for (const value of values) expect(await fingerprintOf(vault, 'POST /\n', value)).toBe(vault.fingerprint(`POST /\n${whole(value)}`))
  const [one, other] = [
    { a: 1, b: [{ c: 2, d: 3 }] },
    { b: [{ d: 3, c: 2 }], a: 1 },
  ]
  expect(await fingerprintOf(vault, '', one)).toBe(await fingerprintOf(vault, '', other))
  expect(await fingerprintOf(vault, '', { a: ['b'] })).not.toBe(await fingerprintOf(vault, '', { a: 'b' }))
})

/** How often others have a turn meanwhile, and what is computed at most between two of them, in milliseconds. */
async function turnsDuring(work: () => Promise<unknown>): Promise<{ turns: number; longest: number }> {
  let [turns, longest, isOver] = [0, 0, false]
  let before = process.cpuUsage()
  const turn = () => {
    const { user, system } = process.cpuUsage(before)
    turns += 1
    longest = Math.max(longest, (user + system) / 1000)
    before = process.cpuUsage()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await Bun.sleep(20)
  turns = 0
  longest = 0
  await work()
  const during = turns
  await new Promise((resume) => setImmediate(resume))
  isOver = true
  return { turns: during, longest }
}

const OTHERS_WAIT_MS = 50
const TRIES = 4

for (const [what, body] of [
  ['many objects', Array.from({ length: 10 }, () => Array.from({ length: 9_990 }, () => ({ a: 1 })))],
  [
    'a deep nest of a large object',
    Array.from({ length: 60 }).reduce<unknown>(
      (inside) => ({ inside }),
      Object.fromEntries(Array.from({ length: 9_999 }, (_, at) => [`k${at}`, 1])),
    ),
  ],
  [
    'many values',
    { metadata: Object.fromEntries(Array.from({ length: 9_999 }, (_, at) => [`k${at}`, { a: [1, 2, 3, 4, 5, 6, 7, 8, 9] }])) },
  ],
  ['many members', Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`member ${(at * 7919) % 10_000}`, at]))],
  ['one long text', { note: 'é"'.repeat(250_000) }],
  ['a deep nest', Array.from({ length: 60 }).reduce<unknown>((inside) => ({ inside }), Array(9_999).fill({ a: 1 }))],
] as const)
  test(`a body of the largest size holds nobody up: ${what}`, byTheClock, async () => {
    const tries = []
    for (let at = 0; at < TRIES; at += 1) tries.push(await turnsDuring(() => fingerprintOf(vault, 'POST /\n', body)))
    expect(Math.min(...tries.map(({ longest }) => longest))).toBeLessThan(OTHERS_WAIT_MS * slowness())
    if (what === 'many objects') expect(Math.max(...tries.map(({ turns }) => turns))).toBeGreaterThan(2)
  })
