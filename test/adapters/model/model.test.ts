import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import anthropic from '../../../adapters/model/anthropic/index.ts'
import gemini from '../../../adapters/model/gemini/index.ts'
import openai from '../../../adapters/model/openai/index.ts'
import openrouter from '../../../adapters/model/openrouter/index.ts'
import sandboxModel from '../../../adapters/model/sandbox-model/index.ts'
import { accept } from '../../../plugins/acceptance/accept.ts'
import { bundleAdapter } from '../../../plugins/host/bundle.ts'
import { openSandbox, type Sandbox } from '../../../plugins/host/sandbox/sandbox.ts'
import { isAdapterOfKind } from '../../../plugins/kind.ts'
import { acceptance, type Rig } from '../../../plugins/model/acceptance.ts'
import { type ModelAdapter, model } from '../../../plugins/model/kind.ts'
import template from '../../../plugins/model/template/index.ts'
import { rig as templateRig } from '../../../plugins/model/template/rig.ts'
import { linesOf } from '../../../plugins/toolkit/lines.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { rig as anthropicRig } from './anthropic/rig.ts'
import { rig as geminiRig } from './gemini/rig.ts'
import { rig as openaiRig } from './openai/rig.ts'
import { rig as openrouterRig } from './openrouter/rig.ts'
import { rig as sandboxRig } from './sandbox-model/rig.ts'

const home = join(import.meta.dir, '../../..')
const rigs: Readonly<
  Record<string, { readonly adapter: ModelAdapter; readonly rigOf: (adapter: ModelAdapter) => Rig; readonly at: string }>
> = {
  anthropic: { adapter: anthropic, rigOf: anthropicRig, at: 'adapters/model/anthropic' },
  gemini: { adapter: gemini, rigOf: geminiRig, at: 'adapters/model/gemini' },
  openai: { adapter: openai, rigOf: openaiRig, at: 'adapters/model/openai' },
  openrouter: { adapter: openrouter, rigOf: openrouterRig, at: 'adapters/model/openrouter' },
  'sandbox-model': { adapter: sandboxModel, rigOf: sandboxRig, at: 'adapters/model/sandbox-model' },
  'what a new source begins with': { adapter: template, rigOf: templateRig, at: 'plugins/model/template' },
}

test('every source in the folder has another side to be tested against', () => {
  const folders = [...new Bun.Glob('*/index.ts').scanSync({ cwd: join(home, 'adapters/model') })].map((file) => file.split('/')[0]!).sort()
  expect(folders).toEqual(Object.keys(rigs).filter((name) => rigs[name]?.at.startsWith('adapters/')))
})

let sandbox: Sandbox | undefined
afterAll(() => sandbox?.close())
async function sandboxed(folder: string): Promise<ModelAdapter> {
  const report = (_: unknown, words: unknown) => console.error(words)
  sandbox ??= openSandbox({ folder: await scratchFolder(), processes: 100, memoryMb: 64, report })
  const bundle = await bundleAdapter(join(home, folder), { within: true })
  const [adapter] = sandbox.adapters(bundle, await sandbox.inspect(bundle)).filter((one) => isAdapterOfKind(model, one))
  if (!adapter) throw new Error(`${folder} has no source of models.`)
  return adapter
}

describe.each(Object.entries(rigs))('%s', (_, { adapter, rigOf, at }) => {
  const failed = async (of: ModelAdapter) => (await accept(acceptance, of, rigOf)).results.filter(({ outcome }) => outcome === 'failed')

  test('passes the acceptance suite in process', async () => {
    expect(await failed(adapter)).toEqual([])
  }, 60_000)

  test('passes it in a process of its own', async () => {
    expect(await failed(await sandboxed(at))).toEqual([])
  }, 60_000)
})

describe('the suite catches', () => {
  const { complete } = template
  /** The same, whose parts are changed on their way. */
  const with_ = (change: (parts: ReturnType<typeof complete>) => ReturnType<typeof complete>): ModelAdapter => ({
    ...template,
    complete: (...given) => change(complete(...given)),
  })
  const defects: readonly (readonly [what: string, adapter: ModelAdapter, caught: string])[] = [
    [
      'one that makes up an end',
      with_(async function* (parts) {
        try {
          yield* parts
        } catch {
          yield { type: 'end', reason: 'stop' } as const
        }
      }),
      'the fault cut is reported with its reason, and no end is invented',
    ],
    [
      'one that loses a piece',
      with_(async function* (parts) {
        for await (const part of parts) if (part.type !== 'text' || !part.text.includes('🍃')) yield part
      }),
      'an answer comes complete and in order, multi-byte characters included, with its usage',
    ],
    [
      'one that mends the arguments of tools',
      with_(async function* (parts) {
        for await (const part of parts) yield part.type === 'toolCall' ? { ...part, call: { ...part.call, arguments: '{}' } } : part
      }),
      'tool calls come complete, with their arguments unchanged',
    ],
    [
      'one that takes a refusal for an answer',
      with_(async function* (parts) {
        for await (const part of parts) yield part.type === 'end' ? ({ type: 'end', reason: 'stop' } as const) : part
      }),
      'content that the source refuses ends as refused, without an error',
    ],
  ]
  test.each(defects)('%s', async (_, adapter, caught) => {
    const side = templateRig(adapter)
    afterAll(() => side.close?.())
    const found = acceptance(adapter, side).find(({ name }) => name === caught)
    if (!found) throw new Error(`There is no case "${caught}" to run.`)
    await expect(found.run()).rejects.toThrow()
  })
})

test('lines are whole, however they were torn apart and whatever ends them', async () => {
  const bytes = new TextEncoder().encode('a\r\nشاي\n\rb\r\n\nlast')
  for (const size of [1, 2, 3, 100]) {
    const lines: string[] = []
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size))
    for await (const line of linesOf(new Blob(pieces).stream())) lines.push(line)
    expect([size, lines]).toEqual([size, ['a', 'شاي', '', 'b', '', 'last']])
  }
})
