import { describe, expect, test } from 'bun:test'
import { modelSource } from '../../../core/assistant/chat/generation/source.ts'
import { parseFrontMatter } from '../../../core/assistant/skills/front-matter.ts'
import { DomainError } from '../../../core/lib/errors/domain-error.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'
import { connectModels, restoreModelsAfterwards } from './chat-support.ts'

restoreModelsAfterwards()
const app = await startApp()
await app.person('The administrator')
const { ok, call } = app
const main = await app.shop()
const other = await app.shop()
const as = main.owner.token
const PATH = '/v1/chat/skills'
const skill = (name: string, description = 'What it does', rest = '') =>
  `---\nname: ${name}\ndescription: ${description}\n${rest}---\n\n# ${name}\n`
const add = (content: string, files?: object, token = as) =>
  call('POST', PATH, { as: token, body: { storeId: main.storeId, content, ...(files && { files }) } })

describe('front matter', () => {
  const reads = (content: string) => parseFrontMatter(content)
  test('is taken as the format says', () => {
    expect(reads(skill('a-b-2', '"quoted: text"', 'license: MIT\nmetadata:\n  version: "1.0"\nallowed-tools: read write\n'))).toEqual({
      name: 'a-b-2',
      description: 'quoted: text',
    })
    expect(reads('---\r\nname: x\r\ndescription: y\r\n---\r\nBody')).toEqual({ name: 'x', description: 'y' })
  })
  test.each([
    ['nothing', 'Just text'],
    ['no end', '---\nname: x\ndescription: y\n'],
    ['a list', '---\n- name\n---\n'],
    ['no YAML', '---\nname: [x\n---\n'],
    ['capitals', skill('Upper')],
    ['two hyphens', skill('a--b')],
    ['a hyphen before', skill('-a')],
    ['a long name', skill('a'.repeat(65))],
    ['no description', skill('a', '""')],
    ['a long description', skill('a', 'x'.repeat(1025))],
    ['something else', skill('a', 'b', 'hooks: rm\n')],
    ['aliases', '---\nname: &x a\ndescription: *x\n---\n'],
    ['metadata that is no map', skill('a', 'b', 'metadata: 1\n')],
    ['a long compatibility', skill('a', 'b', `compatibility: ${'x'.repeat(501)}\n`)],
  ])('is refused with %s', (_, content) => {
    expect(() => reads(content)).toThrow(DomainError)
  })
})

describe('skills', () => {
  test('are added, versioned, published as they were, and taken back', async () => {
    const made = (
      await ok('POST', PATH, {
        as,
        body: { storeId: main.storeId, content: skill('returns'), files: { 'references/law.md': 'Fourteen days' } },
      })
    ).data
    expect(made).toMatchObject({ name: 'returns', version: 1, own: true, publishedVersion: null })
    const one = `${PATH}/${made.id}`
    expect((await call('GET', one, { as: other.owner.token })).status).toBe(404)
    expect((await ok('POST', `${one}/publish`, { as })).data).toMatchObject({ publishedVersion: 1 })
    await ok('PATCH', one, { as, body: { content: skill('returns', 'Newer') } })
    expect((await ok('GET', one, { as })).data).toMatchObject({
      version: 2,
      description: 'Newer',
      files: { 'references/law.md': 'Fourteen days' },
    })
    expect((await ok('GET', one, { as: other.owner.token })).data).toMatchObject({ version: 1, description: 'What it does', own: false })
    const shown = async () => (await ok('GET', `${PATH}/marketplace`, { as: other.owner.token })).data
    expect((await shown())[0]).toMatchObject({ id: made.id, description: 'What it does', own: false })
    for (const [method, path, body] of [
      ['PATCH', '', { content: skill('returns') }],
      ['DELETE', '', undefined],
      ['POST', '/publish', undefined],
      ['POST', '/unpublish', undefined],
    ] as const) {
      expect((await call(method, one + path, { as: other.owner.token, body })).status).toBe(404)
      expect((await call(method, one + path, { body })).status).toBe(401)
    }
    await ok('POST', `${one}/unpublish`, { as })
    expect(await shown()).toEqual([])
    expect((await call('GET', one, { as: other.owner.token })).status).toBe(404)
    for (const list of ['', '/mine']) expect((await ok('GET', `${PATH}${list}?storeId=${main.storeId}`, { as })).data).toHaveLength(1)
    expect((await add(skill('returns'))).body.error.code).toBe('conflict')
    expect((await call('DELETE', one, { as })).status).toBe(204)
  })

  test('are refused with paths that lead elsewhere', async () => {
    for (const path of ['../x', 'scripts/../../x', '/etc/passwd', 'scripts/a/b', 'other/x', 'scripts/.hidden'])
      expect((await add(skill('paths'), { [path]: 'x' })).status).toBe(400)
    expect((await add(skill('stranger'), undefined, other.owner.token)).status).toBe(404)
    expect((await add('nothing')).status).toBe(400)
  })

  test('the template is one', async () => {
    const { content } = (await ok('GET', `${PATH}/template`, { as })).data
    expect((await add(content)).status).toBe(201)
  })

  test('a model is told of them by name, and loads one when it wants to', async () => {
    await connectModels(app, main)
    await add(skill('gift-wrap', 'How gifts are wrapped'), { 'scripts/wrap.sh': 'echo never run' })
    const conversation = (await ok('POST', '/v1/chat/conversations', { as, body: { storeId: main.storeId } })).data
    const path = `/v1/chat/conversations/${conversation.id}`
    await ok('POST', `${path}/messages`, { as, body: { text: 'call load_skill {"name": "gift-wrap", "path": "scripts/wrap.sh"}' } })
    const whole = await until(async () => {
      const { data } = await ok('GET', path, { as })
      return data.generationId === null ? data : null
    })
    expect(whole.messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(whole.messages[2]).toMatchObject({ tool: 'load_skill', text: 'echo never run', failed: false })
  })

  test('a model is told of all that a person has, briefly where there are many', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `many-${at}`)
    for (const name of names) await add(skill(name, `${name} ${'x'.repeat(1_000)}`))
    let system = ''
    const { complete } = modelSource
    Object.assign(modelSource, {
      complete(...asked: Parameters<typeof complete>) {
        const first = asked[3].messages[0]
        if (first?.role === 'system') system = first.text
        return complete(...asked)
      },
    })
    const conversation = (await ok('POST', '/v1/chat/conversations', { as, body: { storeId: main.storeId } })).data
    const path = `/v1/chat/conversations/${conversation.id}`
    await ok('POST', `${path}/messages`, { as, body: { text: 'call load_skill {"name": "many-59"}' } })
    const whole = await until(async () => {
      const { data } = await ok('GET', path, { as })
      return data.generationId === null ? data : null
    })
    expect(whole.messages[2]).toMatchObject({ tool: 'load_skill', text: expect.stringContaining('# many-59'), failed: false })
    expect(names.filter((name) => !system.includes(`- ${name}: ${name} x`))).toEqual([])
    expect(system.length).toBeLessThan(30_000)
    const { data: estimated } = await ok('POST', '/v1/chat/estimate', { as, body: { storeId: main.storeId, text: 'Hello' } })
    expect(estimated.inputTokens).toBeGreaterThan(system.length / 3)
  })
})
