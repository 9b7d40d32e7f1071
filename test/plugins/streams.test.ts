import { afterAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openOutbound } from '../../core/lib/net/outbound.ts'
import type { AdapterContext, FetchInit } from '../../plugins/adapter.ts'
import { bundleInProcess } from '../../plugins/host/bundle-in-process.ts'
import { openSandbox } from '../../plugins/host/sandbox/sandbox.ts'
import { isAdapterOfKind } from '../../plugins/kind.ts'
import { scratchFolder } from '../support/scratch.ts'
import { until } from '../support/until.ts'
import { contextOf, put } from './atlas.ts'
import { message } from './message/kind.ts'

const kinds = [message]
const words: string[] = []
const sandbox = openSandbox({ folder: await scratchFolder(), processes: 6, memoryMb: 64, kinds, report: (_, why) => void words.push(why) })
afterAll(() => sandbox.close())
const example = await readFile(join(import.meta.dir, 'message/template/index.ts'), 'utf8')

/** Says these pieces one after the other, each once the one before was read; then it ends, breaks off, or says nothing more. */
function reciter(pieces: readonly (string | Uint8Array)[], end: 'close' | 'break' | 'hang' = 'close') {
  const heard = { left: false, said: 0 }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch(request) {
      request.signal.addEventListener('abort', () => {
        heard.left = true
      })
      const body = new ReadableStream({
        async start(controller) {
          for (const piece of pieces) {
            controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
            heard.said += 1
            await Bun.sleep(30)
          }
          if (end === 'close') controller.close()
          if (end === 'break') server.stop(true)
        },
      })
      return new Response(body, { headers: { 'content-length': end === 'break' ? '100000' : '' } })
    },
  })
  afterAll(() => server.stop(true))
  return { url: `http://reciter.example:${server.port}/`, heard }
}

const outbound = openOutbound({ allowPrivate: true, resolve: async () => ['127.0.0.1'] })
function connection(id: string, signal?: AbortSignal): AdapterContext {
  const context = contextOf(id, signal)
  return {
    ...context,
    async fetch(url: string, { streams = false }: FetchInit = {}) {
      const { stream, body, ...answer } = await outbound({ url, isStreamed: streams, signal: context.signal, maxBytes: 1_000_000 })
      return new Response(stream ?? (body as Uint8Array<ArrayBuffer>), answer)
    },
  }
}

async function adapterOf(name: string, change: readonly [from: string, to: string][] = []) {
  const at = join(await scratchFolder(), name)
  await put(at, { 'index.ts': change.reduce((text, [from, to]) => text.replace(from, to), example) })
  const bundle = await bundleInProcess(at, kinds)
  const [adapter] = sandbox.adapters(bundle, await sandbox.inspect(bundle))
  if (!adapter || !isAdapterOfKind(message, adapter) || !adapter.recite) throw new Error('It recites nothing.')
  return adapter.recite
}

describe('a member that streams', () => {
  test('gives each part as it comes, in order, letters that were torn apart whole', async () => {
    const recite = await adapterOf('good')
    const bytes = new TextEncoder().encode('سلام')
    const { url, heard } = reciter(['one ', bytes.slice(0, 3), bytes.slice(3), ' three'])
    const lines: string[] = []
    for await (const { line } of recite(connection('a'), { from: url })) {
      if (lines.length === 0) expect(heard.said).toBeLessThan(4)
      lines.push(line)
    }
    expect(lines.join('')).toBe('one سلام three')
    expect(lines.length).toBeGreaterThan(2)
  })

  const collect = async (parts: AsyncIterable<{ line: string }>) => {
    const lines: string[] = []
    try {
      for await (const { line } of parts) lines.push(line)
      return [lines, null] as const
    } catch (error) {
      return [lines, (error as Error).message] as const
    }
  }

  test('of several at once each gives its own', async () => {
    const recite = await adapterOf('several')
    const all = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const [lines] = await collect(recite(connection('b'), { from: reciter([`${at}`, `${at}`, `${at}`]).url }))
        return lines.join('')
      }),
    )
    expect(all).toEqual(Array.from({ length: 8 }, (_, at) => `${at}${at}${at}`))
  })

  test('says why where it breaks off, after what had come; a part of a wrong shape is refused', async () => {
    const recite = await adapterOf('broken')
    const [lines, why] = await collect(recite(connection('c'), { from: reciter(['one '], 'break').url }))
    expect(lines).toEqual(['one '])
    expect(why).toContain('broke')
    const odd = await adapterOf('odd', [
      ['yield { line:', 'yield { colour: 1, line:'],
      ['decoder.decode(bytes, { stream: true })', '7'],
    ])
    expect((await collect(odd(connection('d'), { from: reciter(['one']).url })))[1]).toContain('in a wrong shape')
    const mute = await adapterOf('mute', [['async *recite(', 'recite: () => 5, async *unasked(']])
    expect((await collect(mute(connection('e'), { from: '' })))[1]).not.toBeNull()
  })

  test('has ended at the other side when the caller has gone', async () => {
    const recite = await adapterOf('left')
    const leaving = new AbortController()
    const { url, heard } = reciter(['one', 'two'], 'hang')
    const reading = collect(recite(connection('f', leaving.signal), { from: url }))
    await until(() => heard.said === 2)
    leaving.abort()
    expect((await reading)[1]).not.toBeNull()
    await until(() => heard.left)
  })

  test('says no more than it may', async () => {
    const recite = await adapterOf('endless', [
      ['for await (const bytes of body) yield', "for (;;) yield { line: 'x'.repeat(999) }; for await (const bytes of body) yield"],
    ])
    const [lines, why] = await collect(recite(connection('g'), { from: reciter(['one']).url }))
    expect(lines.length).toBeLessThan(1_000)
    expect(why).toContain('ended')
    await until(() => words.some((why) => why.includes('it streams more than')))
  })
})

test('a body that streams keeps to its limits of time and size', async () => {
  const read = async (options: object) => {
    const { stream, status } = await outbound({ url: reciter(['one', 'two', 'three', 'four'], 'hang').url, isStreamed: true, ...options })
    const got: string[] = []
    try {
      for await (const bytes of stream ?? []) got.push(new TextDecoder().decode(bytes))
      return { status, got: got.join(''), reason: null }
    } catch (error) {
      return { status, got: got.join(''), reason: (error as { reason?: string }).reason }
    }
  }
  expect(await read({ maxBytes: 6 })).toEqual({ status: 200, got: 'onetwo', reason: 'too_large' })
  expect(await read({ timeoutMs: 400 })).toEqual({ status: 200, got: 'onetwothreefour', reason: 'timeout' })
})
