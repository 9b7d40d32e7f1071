import { useQuery } from '@tanstack/preact-query'
import { Route, Switch } from 'wouter-preact'
import { readSetup, type Setup } from '../../session/console-session.ts'
import { LanguageBar } from '../../shell/language-bar.tsx'
import { Waiting } from '../../shell/notices.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ActingOver } from './acting-over.tsx'
import { Forgot } from './forgot.tsx'
import { LinkSignIn } from './link.tsx'
import { SignIn } from './sign-in.tsx'
import { SignUp } from './sign-up.tsx'
import { SocialReturn } from './social-return.tsx'

/** Pages for people who are not signed in. A new server starts with its first account. */
export function SignInPages() {
  const { data: setup, error } = useQuery({ queryKey: ['setup'], queryFn: readSetup, staleTime: 60_000 })
  if (error && !setup)
    return (
      <main class="centre">
        <Failure error={error} />
      </main>
    )
  if (!setup) return <Waiting />
  return (
    <div class="centre">
      <p class="mark large" aria-hidden="true">
        S
      </p>
      <Switch>
        <Route path="/forgot-password" component={Forgot} />
        <Route path="/sign-up">
          <SignUp isFirst={!setup.hasUsers} />
        </Route>
        <Route path="/social-return">
          <SocialReturn setup={setup} />
        </Route>
        <Route path="/link" component={LinkSignIn} />
        <Route>{startOf(setup)}</Route>
      </Switch>
      <LanguageBar />
    </div>
  )
}

/** Chooses what a user sees first. An administrator who acted as a user returns to their own session instead. */
function startOf(setup: Setup) {
  if (setup.isActing) return <ActingOver />
  return setup.hasUsers ? <SignIn setup={setup} /> : <SignUp isFirst />
}
