import { AdapterError } from '../adapter.ts'
import { type Asking, ask, problemOf, unreadable } from './ask.ts'
import { isRow, text } from './values.ts'

/** Settings for a platform that does not document its sign-in: the user enters what the platform's staff say. */
export const signInFields = (label: string) =>
  ({
    signInPath: {
      label: 'Path of the sign-in',
      optional: true,
      help: `Ask ${label} for it: the path below the server that takes the login and the password. It is not documented.`,
    },
    signInNames: {
      label: 'Names of the login and password parameters',
      default: 'email,password',
    },
    signInAnswer: {
      label: 'Path of the token in the response',
      default: 'token',
    },
  }) as const

/** Login and password of a user at the platform. */
export interface SignIn {
  readonly login: string
  readonly password: string
}

interface Way {
  readonly signInPath?: string | undefined
  readonly signInNames: string
  readonly signInAnswer: string
}

/**
 * Signs in and returns the token, by the settings of {@link signInFields}. Throws `refused` if no path is set or a setting is invalid, and
 * `unavailable` if the response holds no token.
 */
export async function signInBy(context: Asking, label: string, server: string, way: Way, { login, password }: SignIn): Promise<string> {
  const { signInPath: path, signInNames, signInAnswer } = way
  if (!path)
    throw new AdapterError(
      'refused',
      `${label} does not document its sign-in. Ask ${label} for signInPath and enter it, or copy the token from its dashboard.`,
    )
  const [loginName = '', passwordName = ''] = signInNames.split(',')
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(path) || path.includes('..') || loginName === '' || passwordName === '')
    throw new AdapterError('refused', 'signInPath must be a path below the server, and signInNames two names separated by a comma.')
  const answer = await ask(context, label, `${server}/${path}`, { method: 'POST', json: { [loginName]: login, [passwordName]: password } })
  if (!answer.ok) throw problemOf(context, label, answer)
  const found = signInAnswer.split('.').reduce((at: unknown, step) => (isRow(at) ? at[step] : undefined), answer.value)
  const token = text(found)
  if (token === undefined || token.length > 500) throw unreadable(label, `no token at ${signInAnswer}`)
  return token
}
