import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { CarrierError } from '../../plugins/carrier/contract.ts'
import { members } from '../../plugins/carrier/members.ts'
import type { ProcessLaunch } from '../../plugins/host/sandbox/deno.ts'
import { encodeFrame } from '../../plugins/host/sandbox/frames.ts'
import { openPool } from '../../plugins/host/sandbox/pool.ts'
import { scratchFolder } from '../support/scratch.ts'
import { contextOf } from './atlas.ts'

const folder = await scratchFolder()
let made = 0

/** A process that is no adapter at all, and does what it likes. */
async function impostor(program: string) {
  const file = join(folder, `impostor${++made}.ts`)
  await Bun.write(file, `const say = (bytes) => Bun.write(Bun.stdout, new Uint8Array(bytes))\n${program}`)
  const launch: ProcessLaunch = { command: [process.execPath, file], environment: {}, folder }
  const pool = openPool(launch, { processes: 2, limits: { memoryMb: 64, loadMs: 2_000 }, report: () => {} })
  const context = { ...contextOf('x'), fetch: () => new Promise<never>(() => {}) }
  const call = { slug: 'x', name: 'fees', member: members.fees, context, args: [] }
  const outcome = await pool.call('x', '', call).then(
    () => 'answered',
    (error: CarrierError) => error.message,
  )
  await pool.close()
  return outcome
}

const bytes = (message: object, beside = '') => JSON.stringify([...encodeFrame(message, new TextEncoder().encode(beside))])
const ready = bytes({ type: 'ready' }, '[{"data":{},"functions":[]}]')
/** Frames that are long to read and short to write: their text is put together in the process. */
const WRITE = `const framed = (json, beside = '') => {
  const whole = new Uint8Array(8 + json.length + beside.length)
  new DataView(whole.buffer).setUint32(0, json.length, true)
  new DataView(whole.buffer).setUint32(4, beside.length, true)
  whole.set(new TextEncoder().encode(json + beside), 8)
  return whole
}
const nested = '['.repeat(5_000_000), many = '[' + '[],'.repeat(2_000_000) + '1]'
`
const impostors: [what: string, program: string, outcome: RegExp][] = [
  [
    'answers before it is asked',
    `await say(${ready}); await say(${bytes({ type: 'result', call: 9 }, '1')}); setInterval(() => {}, 1000)`,
    /answered what nobody asked/,
  ],
  ['ends', `await say(${ready}); setTimeout(() => process.exit(3), 300)`, /ended by itself \(3\)/],
  ['is ready twice', `await say(${ready}); await say(${ready}); setInterval(() => {}, 1000)`, /twice/],
  ['declares without end', `${WRITE} await say(framed('{"type":"ready"}', many)); setInterval(() => {}, 1000)`, /declares too much/],
  ['declares what is no adapter', `await say(${bytes({ type: 'ready' }, '[1]')}); setInterval(() => {}, 1000)`, /must export an adapter/],
  ['says more than it may', `${WRITE} await say(framed('{"type":"log","call":1,"message":"x","fields":{"a":' + many + '}}'))`, /too long/],
  ['says much that is nested', `${WRITE} await say(framed(nested))`, /too long/],
  [
    'says what is nested in a message',
    `${WRITE} await say(${ready}); const log = framed('{"type":"log","call":1,"message":"x","fields":{"a":' + '['.repeat(50_000) + ']'.repeat(50_000) + '}}')
    for (;;) await say(log)`,
    /too deeply/,
  ],
  [
    'says much in many pieces',
    `${WRITE} await say(${ready}); const log = framed('{"type":"log","call":2,"message":"x","fields":{"a":' + many.slice(0, 150_001) + '1]}}'); for (;;) await say(log)`,
    /says too much/,
  ],
  ['says a message of its own', `await say(${bytes({ type: 'shutdown' })})`, /no message/],
  ['adds to a message', `await say(${bytes({ type: 'pong', extra: 1 })})`, /no message/],
  ['announces too much', 'await say(new Uint8Array(8).fill(255))', /too long/],
  ['says no JSON', 'await say([2, 0, 0, 0, 0, 0, 0, 0, 123, 58])', /./],
  [
    'floods its output',
    `await say(${ready}); const pongs = Array.from({ length: 5000 }, () => ${bytes({ type: 'pong' })}).flat(); for (;;) await say(pongs)`,
    /says too much/,
  ],
  ['floods its error output', "for (;;) require('fs').writeSync(2, 'x'.repeat(65536))", /error output/],
  ['never loads', 'setInterval(() => {}, 1000)', /did not load within 2000 ms/],
  ['never reads', `await say(${ready}); for (;;);`, /does not answer/],
  [
    'takes memory that no heap counts',
    `await say(${ready}); const held = []; setInterval(() => held.push(new Uint8Array(16e6).fill(1)), 5)`,
    /too much memory/,
  ],
  [
    'asks for too much at once',
    `await say(${ready}); await Bun.sleep(300); await say(Array.from({ length: 200 }, () => ${bytes({ type: 'fetch', id: 1, call: 1, fetch: { url: 'https://x.example', hasBody: false } })}).flat()); setInterval(() => {}, 1000)`,
    /too much at once/,
  ],
]
for (const [what, program, outcome] of impostors)
  test(`a process that ${what} is ended`, async () => {
    expect(await impostor(program)).toMatch(outcome)
  })
