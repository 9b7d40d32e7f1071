import { describe, expect, test } from 'bun:test'
import { modelSource } from '../../../core/assistant/chat/generation/source.ts'
import { buildSummaryRequest } from '../../../core/assistant/chat/generation/summarize.ts'
import { isTruncated, readMessagePath } from '../../../core/assistant/chat/message-path.ts'
import { estimateRequestTokens } from '../../../core/assistant/models/price.ts'
import type { Message } from '../../../plugins/model/model.ts'
import { until } from '../../support/until.ts'
import { startChat } from './chat-support.ts'

const app = await startChat()
const { ok, call, sql, main, as } = app

interface Said {
  readonly id: string
  readonly role: string
  readonly text: string
}

const PATH = '/v1/chat/conversations'
const conversation = async (): Promise<string> => (await ok('POST', PATH, { as, body: { storeId: main.storeId } })).data.id
const say = (id: string, body: object) => call('POST', `${PATH}/${id}/messages`, { as, body })
const over = (id: string) =>
  until(async () => {
    const { data } = await ok('GET', `/v1/chat/generations/${id}`, { as })
    return data.state === 'running' ? null : data
  })
const idOf = (id: string, at: number) => `msg_00${id.slice(-8)}${String(at).padStart(6, '0')}`

/** So many messages that follow one another, of the person and of the assistant in turns. */
async function chain(id: string, count: number, text = 'x'): Promise<string> {
  await sql`insert into chat_messages (project_id, id, conversation_id, parent_id, role, text)
    select ${main.projectId}, 'msg_00' || right(${id}::text, 8) || lpad(n::text, 6, '0'), ${id},
      case when n > 1 then 'msg_00' || right(${id}::text, 8) || lpad((n - 1)::text, 6, '0') end,
      case when n % 2 = 1 then 'user' else 'assistant' end, ${text} from generate_series(1, ${count}::int) n`
  await sql`update chat_conversations set leaf_id = ${idOf(id, count)} where id = ${id}`
  return idOf(id, count)
}
const bytesOf = (messages: readonly { readonly text: string }[]) => messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)

describe('a long branch', () => {
  test('is read for a model as far as it can be told, from what the person said on', async () => {
    const id = await conversation()
    const path = await readMessagePath(sql, main.projectId, await chain(id, 1_000, 'é'.repeat(10_000)))
    expect(bytesOf(path)).toBeLessThanOrEqual(2 * 1024 * 1024)
    expect(path.length).toBeGreaterThan(90)
    expect([path[0]?.role, path.at(-1)?.id]).toEqual(['user', idOf(id, 1_000)])
    expect(isTruncated(path)).toBe(true)
    const small = await conversation()
    const many = await readMessagePath(sql, main.projectId, await chain(small, 1_900))
    expect([many.length, many[0]?.role]).toEqual([1_500, 'user'])
    const whole = await readMessagePath(sql, main.projectId, idOf(small, 900))
    expect([whole.length, isTruncated(whole)]).toEqual([900, false])
  })

  test('is summed up where it is cut short, and read from there on afterwards', async () => {
    const id = await conversation()
    await chain(id, 1_900)
    const { complete } = modelSource
    const told: Message[][] = []
    Object.assign(modelSource, {
      complete: (...given: Parameters<typeof complete>) => {
        told.push([...given[3].messages])
        return complete(...given)
      },
    })
    const ask = async (text: string) => over((await say(id, { text })).body.data.generation.id)
    expect(await ask('And now?')).toMatchObject({ state: 'completed' })
    expect(await ask('And then?')).toMatchObject({ state: 'completed' })
    Object.assign(modelSource, { complete })
    expect(told.length).toBe(3)
    for (const messages of told) expect(messages.length).toBeLessThan(20)
    const { messages } = (await ok('GET', `${PATH}/${id}`, { as })).data
    expect(messages.filter(({ role }: Said) => role === 'summary')).toHaveLength(1)
    const path = await readMessagePath(sql, main.projectId, messages.at(-1).id)
    expect([path.length < 20, isTruncated(path), path[0]?.role]).toEqual([true, false, 'user'])
  })
})

test("chat: a summary fits into the model's context, in any script", () => {
  const told: Message[] = Array.from({ length: 200 }, (_, at) => ({ role: 'assistant', text: `${at} ${'ش'.repeat(2_000)}` }))
  for (const contextTokens of [8_000, 32_000, undefined]) {
    const messages = buildSummaryRequest(told, contextTokens)
    expect(estimateRequestTokens({ messages }).inputTokens).toBeLessThan((contextTokens ?? 32_000) * 0.65)
    expect(JSON.stringify(messages)).toContain('199 ش')
  }
})

test('a full conversation takes no other answer either', async () => {
  const id = await conversation()
  await chain(id, 2_000)
  const answer = await say(id, { retryOf: idOf(id, 1_999) })
  expect([answer.status, answer.body.error?.code]).toEqual([422, 'limit_reached'])
})

test('chat: the limit of conversations holds when several are started at once', async () => {
  const { storeId, projectId, owner } = await app.shop()
  await sql`insert into chat_conversations (project_id, id, user_id)
    select ${projectId}, 'cnv_0' || lpad(n::text, 6, '0'), ${owner.id} from generate_series(1, 999) n`
  const begin = () => call('POST', PATH, { as: owner.token, body: { storeId } })
  const answers = await Promise.all(Array.from({ length: 4 }, begin))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
})
