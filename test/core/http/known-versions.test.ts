import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { answerNotModified } from '../../../core/http/etag.ts'
import { rememberVersions } from '../../../core/http/known-versions.ts'

test('a list is not read for a client whose copy was made of its current version', async () => {
  const list = rememberVersions()
  const state = { version: 'one', text: 'first', reads: 0 }
  const app = new Elysia().get(
    '/list',
    () => {
      state.reads += 1
      return { text: state.text }
    },
    {
      beforeHandle: async ({ request, set }) => list.answer({ request, set }, async () => state.version),
      afterHandle: [answerNotModified, list.remember],
    },
  )
  const ask = async (etag?: string) => {
    const answer = await app.handle(new Request('http://localhost/list', etag === undefined ? {} : { headers: { 'if-none-match': etag } }))
    return [answer.status, answer.headers.get('etag'), state.reads] as const
  }

  const [, first] = await ask()
  expect(await ask(String(first))).toEqual([304, first, 2])
  expect(await ask(String(first))).toEqual([304, first, 2])
  expect((await ask('W/"other"')).slice(0, 1)).toEqual([200])
  Object.assign(state, { version: 'two', text: 'second' })
  const [status, second] = await ask(String(first))
  expect([status, second === first]).toEqual([200, false])
  expect(await ask(String(second))).toEqual([304, second, 4])
})
