import { check, fails, fits, needed, same } from '../../acceptance/checks.ts'
import type { SocialAdapter } from '../kind.ts'
import { Profile } from '../model.ts'
import { account, type Bench, type Draft } from './draft.ts'
import type { Account, Fault } from './rig.ts'

const asked = ({ identityToken }: SocialAdapter) => identityToken === undefined || identityToken.setting !== undefined
const inToken = 'all that it says stands in the identity token'

export const personCases = (adapter: SocialAdapter): Draft[] => [
  { name: 'a person is told as the provider knows him', run: isTold },
  { name: 'a person is the same at every time, and nobody else', run: isHimself },
  { name: 'an address that the provider did not verify is not verified', run: isUnverified },
  { name: 'a person without an address and a name is told', run: isBare },
  { name: 'a name that nobody could keep is kept as far as it goes', run: isCleaned },
  { name: 'claims that make no sense are no person', run: survivesNonsense },
  { name: 'what stands beside the code is signed by nobody, and says neither who it is nor an address', run: isHinted },
  { name: 'a token that is not taken any more is refused', unless: !asked(adapter) && inToken, run: isRevoked },
  ...(['ignored', 'error', 'malformed', 'mumbled'] as const).map((fault) => ({
    name: `nobody is told where the provider's answer is ${fault}`,
    unless: !asked(adapter) && inToken,
    run: (bench: Bench) => isUnavailable(bench, fault),
  })),
]

async function told({ adapter, rig, open }: Bench, person: Account): Promise<Profile> {
  const profile = await adapter.profile(open().context, await rig.granted(person))
  fits(Profile, profile, 'profile')
  return profile
}

async function isTold(bench: Bench): Promise<void> {
  const person = account()
  const { tells } = bench.rig
  const expected = {
    email: tells.email ? person.email : undefined,
    verified: tells.verified,
    name: tells.name ? person.name : undefined,
    subject: person.subject,
  }
  const { subject, email, emailVerified: verified, name } = await told(bench, person)
  same({ email, verified, name, subject }, expected, 'profile')
}

async function isHimself(bench: Bench): Promise<void> {
  const [one, other] = [account(), account()]
  const [first, second, third] = [
    await told(bench, one),
    await told(bench, { ...one, email: 'moved@example.com' }),
    await told(bench, other),
  ]
  same(second.subject, first.subject, 'the same person')
  check(third.subject !== first.subject, 'another person is another')
}

async function isUnverified(bench: Bench): Promise<void> {
  same((await told(bench, account({ emailVerified: false }))).emailVerified, false, 'emailVerified')
  const { emailVerified: _, ...silent } = account()
  same((await told(bench, silent)).emailVerified, false, 'emailVerified where nothing is said')
}

async function isBare(bench: Bench): Promise<void> {
  const { subject } = account()
  const { name: _, ...profile } = await told(bench, { subject })
  same(profile, { subject, emailVerified: false }, 'profile')
}

const isCleaned = async (bench: Bench) => {
  for (const name of [`${'é😀'.repeat(200)}`, ' A '.repeat(100), 'A\u0000\u202eB\n']) await told(bench, account({ name }))
}

async function survivesNonsense({ adapter, open }: Bench): Promise<void> {
  for (const granted of [
    {},
    { claims: {} },
    { claims: { sub: null } },
    { claims: { sub: { a: 1 } } },
    { claims: { sub: '' }, user: '{' },
    { claims: { email: 'a@b.example' }, user: '{"sub":"1"}' },
  ])
    await fails(
      Promise.resolve().then(() => adapter.profile(open().context, granted)),
      ['unavailable', 'refused'],
      'profile',
    )
}

async function isHinted(bench: Bench): Promise<void> {
  const person = account()
  const { user, ...granted } = await bench.rig.granted(person)
  const told = user?.replaceAll(person.email ?? '', 'somebody@else.example') ?? '{"sub":"1","id":"1","email":"somebody@else.example"}'
  const profile = await bench.adapter.profile(bench.open().context, { ...granted, user: told })
  same([profile.subject, profile.email], [person.subject, bench.rig.tells.email ? person.email : undefined], 'who it is')
}

async function isRevoked({ adapter, rig, open }: Bench): Promise<void> {
  const granted = await needed(rig.revoked, 'revoked')()
  await fails(adapter.profile(open().context, granted), ['refused'], 'profile')
}

async function isUnavailable({ adapter, rig, open }: Bench, fault: Fault): Promise<void> {
  const granted = await rig.granted(account())
  needed(rig.fail, 'fail')(fault)
  await fails(adapter.profile(open({ deadlineMs: 300 }).context, granted), ['unavailable'], 'profile')
}
