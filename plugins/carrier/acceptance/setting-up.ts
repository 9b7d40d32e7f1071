import { assertEqual, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { Carrier } from '../contract.ts'
import type { Bench } from './bench.ts'
import type { Draft } from './draft.ts'
import type { Rig } from './rig.ts'

/** Cases: an account is connected by a webhook set-up and by a token for a sign-in. */
export const setUpCases = (carrier: Carrier, rig: Rig): Draft[] => {
  const noToken = !carrier.createToken ? 'nobody signs in to it' : !rig.signIn && 'the rig plays no sign-in'
  return [
    { name: 'a webhook is set up', unless: !carrier.setupWebhook && 'it is set up by hand', run: isSetUp },
    { name: 'a sign-in gives credentials that work', unless: noToken, run: signsIn },
    { name: 'a wrong password gives nothing', unless: noToken, run: turnsAway },
  ]
}

const ADDRESS = 'https://shop.example/v1/webhook'
const plainly = (words: string) => words.replaceAll('\\/', '/')

async function isSetUp({ carrier, rig, open }: Bench): Promise<void> {
  const before = (await rig.seen('')).calls.length
  const { credentials = {} } = await carrier.setupWebhook!(open().context, ADDRESS)
  const declared = Object.keys(carrier.credentials)
  assertEqual(
    Object.keys(credentials).filter((name) => !declared.includes(name)),
    [],
    'credentials that are not declared',
  )
  assertEqual(Object.keys(credentials).sort(), [...requireMember(rig.setUpGives, 'setUpGives')].sort(), 'credentials that came of it')
  for (const [name, value] of Object.entries(credentials)) check(String(value).length >= 8, `${name} is a secret that nobody guesses`)
  if (carrier.net.length === 0) return
  const made = (await rig.seen('')).calls.slice(before)
  const isTold = made.some(({ body, query }) => `${plainly(body)} ${query} ${decodeURIComponent(`${query} ${body}`)}`.includes(ADDRESS))
  check(isTold, `a call tells the carrier ${ADDRESS}`)
}

/** Without a connection: settings are all that it has. */
const nobody = ({ rig, open }: Bench) => {
  const desk = open()
  const context = { ...desk.context, credentials: {} as typeof desk.context.credentials }
  return { desk, context, login: requireMember(rig.signIn, 'signIn') }
}

async function signsIn(bench: Bench): Promise<void> {
  const { carrier, rig, open } = bench
  const { desk, context, login } = nobody(bench)
  const answer = JSON.parse(JSON.stringify(await carrier.createToken!(context, login))) as Record<string, string>
  const unknown = Object.keys(answer).filter((name) => !Object.hasOwn(carrier.credentials, name))
  assertEqual(unknown, [], 'credentials that are not declared')
  await carrier.testConnection(open({ credentials: { ...rig.credentials, ...answer } }).context)
  check(!JSON.stringify(desk.logged).includes(login.password), 'the password is not logged')
}

async function turnsAway(bench: Bench): Promise<void> {
  const { desk, context, login } = nobody(bench)
  const password = 'a-wrong-password-135'
  const error = await expectFailure(bench.carrier.createToken!(context, { ...login, password }), ['unauthorized', 'refused'], 'sign-in')
  check(!`${error.message} ${JSON.stringify([error, desk.logged])}`.includes(password), 'the password is neither told nor logged')
}
