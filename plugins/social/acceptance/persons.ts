import { assertEqual, assertFits, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { SocialAdapter } from '../kind.ts'
import { Profile } from '../model.ts'
import { account, type Bench, type Draft } from './draft.ts'
import type { Account, Fault } from './rig.ts'

const callsProvider = ({ identityToken }: SocialAdapter) => identityToken === undefined || identityToken.setting !== undefined
const inToken = 'the identity token holds the whole profile'

/** Cases about the profile of a user. */
export const profileCases = (adapter: SocialAdapter): Draft[] => [
  { name: 'the profile is complete, as the provider has it', run: returnsProfile },
  { name: 'a user has the same subject at each sign-in, and no other user has it', run: keepsSubject },
  { name: 'an address that the provider did not verify is not verified', run: keepsUnverified },
  { name: 'a user without an address and a name has a profile', run: allowsMissing },
  { name: 'a name that is too long or has control characters is cleaned', run: cleansNames },
  { name: 'invalid claims give no profile', run: rejectsNonsense },
  { name: 'the unsigned parameter user determines neither the subject nor the address', run: ignoresUnsigned },
  { name: 'a revoked token is refused', unless: !callsProvider(adapter) && inToken, run: refusesRevoked },
  ...(['ignored', 'error', 'malformed', 'mumbled'] as const).map((fault) => ({
    name: `the profile is unavailable if the provider's answer is ${fault}`,
    unless: !callsProvider(adapter) && inToken,
    run: (bench: Bench) => failsUnavailable(bench, fault),
  })),
]

async function readProfile({ adapter, rig, open }: Bench, person: Account): Promise<Profile> {
  const profile = await adapter.profile(open().context, await rig.granted(person))
  assertFits(Profile, profile, 'profile')
  return profile
}

async function returnsProfile(bench: Bench): Promise<void> {
  const person = account()
  const { tells } = bench.rig
  const expected = {
    email: tells.email ? person.email : undefined,
    verified: tells.verified,
    name: tells.name ? person.name : undefined,
    subject: person.subject,
  }
  const { subject, email, emailVerified: verified, name } = await readProfile(bench, person)
  assertEqual({ email, verified, name, subject }, expected, 'profile')
}

async function keepsSubject(bench: Bench): Promise<void> {
  const [one, other] = [account(), account()]
  const [first, second, third] = [
    await readProfile(bench, one),
    await readProfile(bench, { ...one, email: 'moved@example.com' }),
    await readProfile(bench, other),
  ]
  assertEqual(second.subject, first.subject, 'subject of the same user')
  check(third.subject !== first.subject, 'another user has another subject')
}

async function keepsUnverified(bench: Bench): Promise<void> {
  assertEqual((await readProfile(bench, account({ emailVerified: false }))).emailVerified, false, 'emailVerified')
  const { emailVerified: _, ...silent } = account()
  assertEqual((await readProfile(bench, silent)).emailVerified, false, 'emailVerified where nothing is said')
}

async function allowsMissing(bench: Bench): Promise<void> {
  const { subject } = account()
  const { name: _, ...profile } = await readProfile(bench, { subject })
  assertEqual(profile, { subject, emailVerified: false }, 'profile')
}

const cleansNames = async (bench: Bench) => {
  for (const name of [`${'é😀'.repeat(200)}`, ' A '.repeat(100), 'A\u0000\u202eB\n']) await readProfile(bench, account({ name }))
}

async function rejectsNonsense({ adapter, open }: Bench): Promise<void> {
  for (const granted of [
    {},
    { claims: {} },
    { claims: { sub: null } },
    { claims: { sub: { a: 1 } } },
    { claims: { sub: '' }, user: '{' },
    { claims: { email: 'a@b.example' }, user: '{"sub":"1"}' },
  ])
    await expectFailure(
      Promise.resolve().then(() => adapter.profile(open().context, granted)),
      ['unavailable', 'refused'],
      'profile',
    )
}

async function ignoresUnsigned(bench: Bench): Promise<void> {
  const person = account()
  const { user, ...granted } = await bench.rig.granted(person)
  const changed = user?.replaceAll(person.email ?? '', 'somebody@else.example') ?? '{"sub":"1","id":"1","email":"somebody@else.example"}'
  const profile = await bench.adapter.profile(bench.open().context, { ...granted, user: changed })
  assertEqual([profile.subject, profile.email], [person.subject, bench.rig.tells.email ? person.email : undefined], 'subject and address')
}

async function refusesRevoked({ adapter, rig, open }: Bench): Promise<void> {
  const granted = await requireMember(rig.revoked, 'revoked')()
  await expectFailure(adapter.profile(open().context, granted), ['refused'], 'profile')
}

async function failsUnavailable({ adapter, rig, open }: Bench, fault: Fault): Promise<void> {
  const granted = await rig.granted(account())
  requireMember(rig.fail, 'fail')(fault)
  await expectFailure(adapter.profile(open({ deadlineMs: 300 }).context, granted), ['unavailable'], 'profile')
}
