import { describe, expect, test } from 'bun:test'
import { modelSource } from '../../../core/assistant/chat/generation/source.ts'
import { until } from '../../support/until.ts'
import { startChat } from './chat-support.ts'

const { ok, call, sql, main, as } = await startChat()

interface Said {
  readonly id: string
  readonly parentId: string | null
  readonly role: string
  readonly text: string
}

const PATH = '/v1/chat/conversations'
const conversation = async (): Promise<string> => (await ok('POST', PATH, { as, body: { storeId: main.storeId } })).data.id
const sayIn = (id: string, text: string) => call('POST', `${PATH}/${id}/messages`, { as, body: { text } })
const enqueue = (id: string, text: string) => ok('POST', `${PATH}/${id}/queue`, { as, body: { text } })
const waiting = async (id: string): Promise<{ text: string; problem: string | null }[]> =>
  (await ok('GET', `${PATH}/${id}/queue`, { as })).data.map(({ text, problem }: { text: string; problem: string | null }) => ({
    text,
    problem,
  }))
const read = async (id: string) => (await ok('GET', `${PATH}/${id}`, { as })).data
const idle = (id: string, ms?: number) => until(async () => ((await read(id)).generationId === null ? true : null), ms)
const generationOf = async (id: string) => (await ok('GET', `/v1/chat/generations/${id}`, { as })).data
const over = (id: string, ms?: number) =>
  until(async () => {
    const generation = await generationOf(id)
    return generation.state === 'running' ? null : generation
  }, ms)
/** So many messages that were there before. */
const fill = (id: string, count: number, text = 'x') =>
  sql`insert into chat_messages (project_id, id, conversation_id, role, text)
    select ${main.projectId}, 'msg_0' || substr(md5(${id}), 1, 8) || lpad(n::text, 6, '0'), ${id}, 'tool', ${text} from generate_series(1, ${count}) n`

describe('answers at once', () => {
  test('are so many, also for who asks for all at the same moment; what waits behind them is said in their place', async () => {
    const { complete } = modelSource
    const gate = Promise.withResolvers<void>()
    Object.assign(modelSource, {
      complete: async (...given: Parameters<typeof complete>) => {
        await gate.promise
        return complete(...given)
      },
    })
    const ids: string[] = []
    for (let at = 0; at < 12; at += 1) {
      const id = await conversation()
      await enqueue(id, 'And then?')
      ids.push(id)
    }
    const said = await Promise.all(ids.map((id) => sayIn(id, 'Begin')))
    gate.resolve()
    Object.assign(modelSource, { complete })
    const begun = ids.filter((_, at) => said[at]?.status === 202)
    for (const { status, body } of said) if (status !== 202) expect([status, body.error.code]).toEqual([422, 'limit_reached'])
    expect(begun).toHaveLength(5)
    for (const id of begun) {
      await until(async () => ((await waiting(id)).length === 0 ? true : null), 10_000)
      await idle(id, 10_000)
      const texts = (await read(id)).messages.filter(({ role }: Said) => role === 'user').map(({ text }: Said) => text)
      expect(texts).toEqual(['Begin', 'And then?'])
    }
    const states = await sql<{ state: string; count: number }[]>`select state, count(*)::int as count from chat_generations group by state`
    expect([...states]).toEqual([{ state: 'completed', count: 10 }])
    // A caller that was refused may ask now.
    const later = await sayIn(ids.find((id) => !begun.includes(id)) ?? '', 'Now')
    expect(later.status).toBe(202)
    await over(later.body.data.generation.id)
  }, 60_000)
})

describe('a full conversation', () => {
  test('ends its last answer; the prompt behind it waits, says why, and is said once there is room', async () => {
    const id = await conversation()
    await fill(id, 1_998)
    await enqueue(id, 'And then?')
    expect(await waiting(id)).toEqual([{ text: 'And then?', problem: null }])
    const last = await sayIn(id, 'The last')
    expect(last.status).toBe(202)
    expect(await over(last.body.data.generation.id, 10_000)).toMatchObject({ state: 'completed' })
    expect(await waiting(id)).toEqual([{ text: 'And then?', problem: expect.stringContaining('2000 messages') }])
    for (const answer of [await call('POST', `${PATH}/${id}/queue/consume`, { as }), await sayIn(id, 'One more')])
      expect([answer.status, answer.body.error.code]).toEqual([422, 'limit_reached'])
    expect(await waiting(id)).toHaveLength(1)
    // Elsewhere nothing stands in the way.
    const elsewhere = await sayIn(await conversation(), 'Hello')
    expect(elsewhere.status).toBe(202)
    await over(elsewhere.body.data.generation.id)

    await ok('DELETE', `${PATH}/${id}/messages/${last.body.data.message.id}`, { as })
    expect(await waiting(id)).toEqual([{ text: 'And then?', problem: null }])
    const consumed = await ok('POST', `${PATH}/${id}/queue/consume`, { as })
    expect(await over(consumed.data.generation.id)).toMatchObject({ state: 'completed' })
    expect(await waiting(id)).toEqual([])
  }, 60_000)

  test('is read from its end, page by page, each of a size that keeps nobody waiting', async () => {
    const id = await conversation()
    await fill(id, 300, 'é'.repeat(15_000))
    const pages: Said[][] = []
    let cursor: string | null = null
    do {
      const answer = await call('GET', `${PATH}/${id}${cursor === null ? '' : `?cursor=${cursor}`}`, { as })
      expect(answer.status).toBe(200)
      expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThan(700_000)
      pages.unshift(answer.body.data.messages)
      cursor = answer.body.nextCursor
    } while (cursor !== null)
    expect(pages.length).toBeGreaterThan(10)
    const ids = pages.flat().map((message) => message.id)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(300)
  }, 60_000)

  test('of small messages has some hundred of them on a page, and an ordinary one all', async () => {
    const id = await conversation()
    await fill(id, 1_200)
    const first = await ok('GET', `${PATH}/${id}`, { as })
    const second = await ok('GET', `${PATH}/${id}?cursor=${first.nextCursor}`, { as })
    const third = await ok('GET', `${PATH}/${id}?cursor=${second.nextCursor}`, { as })
    expect([first, second, third].map(({ data }) => data.messages.length)).toEqual([500, 500, 200])
    expect(third.nextCursor).toBeNull()
    const ordinary = await conversation()
    await over((await sayIn(ordinary, 'Hello')).body.data.generation.id)
    const whole = await ok('GET', `${PATH}/${ordinary}`, { as })
    expect([whole.data.messages.length, whole.nextCursor]).toEqual([2, null])
    const odd = await call('GET', `${PATH}/${ordinary}?cursor=${encodeURIComponent('no\0')}`, { as })
    expect([odd.status, odd.body.error.details[0].path]).toEqual([400, '/query/cursor'])
  }, 60_000)
})

describe('an answer whose end cannot be written', () => {
  const refuse = () =>
    sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create trigger refuse before insert on chat_messages for each row when (new.role = 'assistant') execute function refuse()`)
  const allow = () => sql.unsafe('drop trigger if exists refuse on chat_messages; drop function if exists refuse()')

  test('ends once it can be, with all that came', async () => {
    const id = await conversation()
    await refuse()
    const { generation } = (await sayIn(id, 'Good morning')).body.data
    await until(async () => ((await generationOf(generation.id)).lastSeq > 0 ? true : null))
    await Bun.sleep(400)
    expect((await generationOf(generation.id)).state).toBe('running')
    await allow()
    expect(await over(generation.id, 5_000)).toMatchObject({ state: 'failed', reason: 'interrupted' })
    const { messages, generationId } = await read(id)
    expect([messages.map(({ role }: Said) => role), generationId]).toEqual([['user', 'assistant'], null])
    expect(messages[1].text).toContain('Good morning')
  }, 30_000)

  test('ends without what it said where it never can be, and its conversation goes on', async () => {
    const id = await conversation()
    await refuse()
    const { generation } = (await sayIn(id, 'Good morning')).body.data
    expect(await over(generation.id, 15_000)).toMatchObject({ state: 'failed', answerId: null })
    await allow()
    expect(await over((await sayIn(id, 'Once more')).body.data.generation.id)).toMatchObject({ state: 'completed' })
  }, 30_000)
})
