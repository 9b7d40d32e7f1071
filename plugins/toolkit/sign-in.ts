import { AdapterError } from '../adapter.ts'
import { type Asking, ask, problemOf, unreadable } from './ask.ts'
import { isRow, text } from './values.ts'

/** How tokens are had of an other side that does not publish it: as its people say. */
export const signInFields = (label: string) =>
  ({
    signInPath: {
      label: 'Where a token is given',
      optional: true,
      help: `Not published by ${label}, which may tell it: the path that takes who signs in and the password, below the server.`,
    },
    signInNames: {
      label: 'What these are called there',
      default: 'email,password',
    },
    signInAnswer: {
      label: 'Where the token stands in the answer',
      default: 'token',
    },
  }) as const

export interface SignIn {
  readonly login: string
  readonly password: string
}

interface Way {
  readonly signInPath?: string | undefined
  readonly signInNames: string
  readonly signInAnswer: string
}

/** A token for who signs in, where somebody has said how it is had. Throws `refused` where nobody has, or the answer holds none. */
export async function signInBy(context: Asking, label: string, server: string, way: Way, { login, password }: SignIn): Promise<string> {
  const { signInPath: path, signInNames, signInAnswer } = way
  if (!path)
    throw new AdapterError(
      'refused',
      `${label} does not publish how a token is had. Give the setting signInPath as ${label} tells it, or take the token from its panel.`,
    )
  const [loginName = '', passwordName = ''] = signInNames.split(',')
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(path) || path.includes('..') || loginName === '' || passwordName === '')
    throw new AdapterError('refused', 'signInPath is a path below the server, and signInNames two names with a comma between them.')
  const answer = await ask(context, label, `${server}/${path}`, { method: 'POST', json: { [loginName]: login, [passwordName]: password } })
  if (!answer.ok) throw problemOf(context, label, answer)
  const found = signInAnswer.split('.').reduce((at: unknown, step) => (isRow(at) ? at[step] : undefined), answer.value)
  const token = text(found)
  if (token === undefined || token.length > 500) throw unreadable(label, `no token at ${signInAnswer}`)
  return token
}
