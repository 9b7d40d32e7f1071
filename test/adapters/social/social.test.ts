import { afterAll, describe, expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openApprovals } from '../../../plugins/host/approvals.ts'
import { discoverAdapters } from '../../../plugins/host/discover.ts'
import { openSandbox } from '../../../plugins/host/sandbox/sandbox.ts'
import { acceptance, type Rig } from '../../../plugins/social/acceptance.ts'
import { type SocialAdapter, social } from '../../../plugins/social/kind.ts'
import { scratchFolder } from '../../support/scratch.ts'

const adaptersFolder = join(import.meta.dir, '../../../adapters/social')
const folders = [...new Bun.Glob('*/index.ts').scanSync({ cwd: adaptersFolder })].map((file) => file.split('/')[0]!).sort()
const rigged = [...new Bun.Glob('*/rig.ts').scanSync({ cwd: import.meta.dir })].map((file) => file.split('/')[0]!).sort()

test('every provider has another side to be tested against', () => {
  expect(folders).toEqual(rigged)
})

const adapters = new Map<string, SocialAdapter>()
for (const folder of folders) {
  const { default: adapter } = (await import(`${adaptersFolder}/${folder}/index.ts`)) as { default: SocialAdapter }
  const { rig } = (await import(`./${folder}/rig.ts`)) as { rig(adapter: SocialAdapter): Promise<Rig> }
  adapters.set(folder, adapter)
  const side = await rig(adapter)
  afterAll(() => side.close?.())
  describe(folder, () => {
    for (const { name, skip, run } of acceptance(adapter, side))
      test.skipIf(skip !== undefined)(skip === undefined ? name : `${name} (${skip})`, run)
  })
}

const caseOf = async (adapter: SocialAdapter, folder: string, name: string) => {
  const { rig } = (await import(`./${folder}/rig.ts`)) as { rig(adapter: SocialAdapter): Promise<Rig> }
  const side = await rig(adapter)
  const found = acceptance(adapter, side).find((one) => one.name === name && one.skip === undefined)
  if (!found) throw new Error(`There is no case "${name}" to run.`)
  return { run: () => found.run().finally(() => side.close?.()) }
}

describe('the suite catches', () => {
  const { google, facebook, apple } = Object.fromEntries(adapters) as Record<string, SocialAdapter>
  const known = async (adapter: SocialAdapter, given: Parameters<SocialAdapter['profile']>) => adapter.profile(...given)
  const defects: readonly (readonly [what: string, folder: string, adapter: SocialAdapter, name: string])[] = [
    [
      'one that takes every address for verified',
      'google',
      { ...google!, profile: async (...given) => ({ ...(await known(google!, given)), emailVerified: true }) },
      'an address that the provider did not verify is not verified',
    ],
    [
      'one that knows people by their addresses',
      'google',
      { ...google!, profile: async (...given) => ({ ...(await known(google!, given)), subject: String(given[1].claims?.email) }) },
      'a user has the same subject at each sign-in, and no other user has it',
    ],
    [
      'one that takes tokens of other apps',
      'facebook',
      { ...facebook!, verifyToken: async (context, token) => facebook!.profile(context, { accessToken: token }) },
      'a token of another app is refused',
    ],
    [
      'one whose secret is always the same',
      'apple',
      { ...apple!, clientSecret: () => 'a secret' },
      'its secret is signed for the current time, and accepted',
    ],
    ['one that goes where it does not say', 'google', { ...google!, net: ['accounts.google.com'] }, 'the definition is sane'],
  ]
  test.each(defects)('%s', async (_, folder, adapter, name) => {
    await expect((await caseOf(adapter, folder, name)).run()).rejects.toThrow()
    await (await caseOf(adapters.get(folder)!, folder, name)).run()
  })
})

test('social: an adapter of this kind from a folder outside the server is refused', async () => {
  const elsewhere = await scratchFolder()
  await mkdir(join(elsewhere, 'impostor'))
  const code = (await Bun.file(join(adaptersFolder, 'google/index.ts')).text()).replace("slug: 'google'", "slug: 'impostor'")
  await Bun.write(join(elsewhere, 'impostor/index.ts'), code)
  const sandbox = openSandbox({ folder: await scratchFolder(), processes: 2, memoryMb: 64, report: () => {} })
  afterAll(() => sandbox.close())
  const shelf = { own: [], others: [elsewhere], enabled: [], isolation: 'none', approval: 'auto' } as const
  const { found, rejected } = await discoverAdapters(shelf, sandbox, openApprovals(await scratchFolder()))
  expect([found, rejected.map(({ reason }) => reason)]).toEqual([
    [],
    ['adapters of the kind "social" are part of the server, and come from nowhere else'],
  ])
  expect(social.builtInOnly).toBe(true)
})
