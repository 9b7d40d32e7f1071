import { describe, expect, test } from 'bun:test'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApp } from '../support/app.ts'
import { scratchFolder } from '../support/scratch.ts'
import { atlas, put } from './atlas.ts'

const folder = await scratchFolder()
const ABOUT = 'What *Atlas* does.'
const others: Readonly<Record<string, object>> = {
  told: { 'README.md': ABOUT },
  long: { 'README.md': 'x'.repeat(64 * 1024 + 1) },
  silent: {},
  elsewhere: {},
}
for (const [slug, more] of Object.entries(others)) await put(join(folder, slug), { 'index.ts': atlas({ slug }), ...more })
await writeFile(join(folder, 'secret'), 'a key of this server')
await symlink(join(folder, 'secret'), join(folder, 'elsewhere/README.md'))

interface Described {
  readonly key: string
  readonly hosts: string[]
}

const app = await startApp({ adapterDirs: [folder], adapterIsolation: 'none' })
const { owner } = await app.shop()
const all: Described[] = (await app.ok('GET', '/v1/adapters', { as: owner.token })).data
const read = async (key: string) => (await app.ok('GET', `/v1/adapters/${key}`, { as: owner.token })).data

describe('READMEs of adapters', () => {
  test('a described adapter has the text of its README and every host that it may reach', async () => {
    const { readme, ...satim } = await read('satim')
    expect(satim).toEqual(all.find(({ key }) => key === 'satim')!)
    expect(satim.hosts).toContain('cib.satim.dz')
    expect(readme).toStartWith('# SATIM')
    expect((await read('told')).readme).toBe(ABOUT)
  })

  test('an adapter without a README, with a link elsewhere or with an unreadable file has none', async () => {
    for (const slug of ['silent', 'elsewhere', 'long']) expect([slug, (await read(slug)).readme]).toEqual([slug, null])
    expect((await app.call('GET', '/v1/adapters/nobody', { as: owner.token })).status).toBe(404)
  })
})

test('READMEs of adapters: each names every host that its adapter may reach, and says what is not known', async () => {
  const ours = all.filter(({ key, hosts }) => !(key in others) && hosts.length > 0)
  expect(ours.length).toBeGreaterThan(100)
  const problems: string[] = []
  for (const { key, hosts } of ours) {
    const { readme } = await read(key)
    // Where a hundred hosts stand below one name, each is named by what is its own.
    const isNamed = (host: string) => readme.includes(host) || readme.includes(`\`${host.split('.')[0]}\``)
    problems.push(...hosts.filter((host) => !isNamed(host)).map((host) => `${key} does not name ${host}`))
    if (!/not known|not sure/i.test(readme)) problems.push(`${key} does not say what is not known`)
  }
  expect(problems).toEqual([])
})
