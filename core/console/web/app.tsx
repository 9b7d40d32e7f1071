import { QueryClientProvider } from '@tanstack/preact-query'
import { lazy, Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter-preact'
import { queries } from './api/queries.ts'
import { loadPart } from './load-part.ts'
import { SignInPages } from './pages/sign-in/pages.tsx'
import { NewStore } from './pages/start/new-store.tsx'
import { storePages } from './pages/store-pages.ts'
import { keepLastStore, startingStore } from './session/last-store.ts'
import { type Me, useMe } from './session/me.ts'
import { currentStore, StoreProvider } from './session/store.tsx'
import { useUserLanguage } from './session/user-language.ts'
import { forgetWantedPath, keepWantedPath, signInPath, wantedPath } from './session/wanted-path.ts'
import { firstPlace, Layout } from './shell/layout.tsx'
import { NoPlace, NotFound, Waiting } from './shell/notices.tsx'
import { OutsideStores } from './shell/outside-stores.tsx'
import { PageBoundary } from './shell/page-boundary.tsx'
import { placesOf } from './shell/places.ts'
import { Failure } from './ui/failure.tsx'
import { Toasts } from './ui/toast.tsx'
import { language, loadPageWords } from './words/words.ts'

/** The whole console: who is signed in decides what is shown. Another language shows everything anew. */
export function App() {
  return (
    <QueryClientProvider client={queries} key={language.value}>
      <Router base="/console">
        <PageBoundary>
          <Gate />
        </PageBoundary>
      </Router>
      <Toasts />
    </QueryClientProvider>
  )
}

/** A redirect that follows another needs a key of its own: the router runs each once, when it appears. */
function Gate() {
  const { data: me, error, isPending } = useMe()
  useUserLanguage(me)
  const [path] = useLocation()
  const search = useSearch()
  useEffect(() => {
    if (me === null) keepWantedPath(path, search)
    else if (me && !signInPath.test(path)) forgetWantedPath()
  }, [me, path, search])
  if (isPending) return <Waiting />
  if (error && me === undefined)
    return (
      <main class="centre">
        <Failure error={error} />
      </main>
    )
  if (!me) return <SignInPages />
  const first = startingStore(me)
  return (
    <Switch>
      <Route path="/new-store">
        <OutsideStores>
          <NewStore />
        </OutsideStores>
      </Route>
      <Route path={signInPath}>
        <Redirect key="signed-in" to={reachablePath(me)} replace />
      </Route>
      <Route path="/:storeId/*?">
        {({ storeId }) => {
          const membership = me.memberships.find((each) => each.storeId === storeId)
          if (membership) return <StorePages store={currentStore(membership, me)} isActing={Boolean(me.actingAs)} />
          return (
            <OutsideStores>
              <NotFound />
            </OutsideStores>
          )
        }}
      </Route>
      <Route path="/">
        {first ? (
          <Redirect key="first-store" to={`/${first.storeId}${firstPlace(currentStore(first, me))}`} replace />
        ) : (
          <OutsideStores>
            <NewStore />
          </OutsideStores>
        )}
      </Route>
      <Route>
        <OutsideStores>
          <NotFound />
        </OutsideStores>
      </Route>
    </Switch>
  )
}

/** Returns the path that was wanted before the sign-in, or the start where it lies in a store that this user does not see. */
function reachablePath({ memberships }: Me): string {
  const wanted = wantedPath()
  const place = wanted.split(/[/?]/)[1]
  return place === 'new-store' || memberships.some(({ storeId }) => storeId === place) ? wanted : '/'
}

const pages = storePages.map(({ path, operation, words, load }) => {
  const loadWhole = async () => (await Promise.all([loadPart(load)(), ...(words ?? []).map(loadPageWords)]))[0]
  return { path, operation, Page: lazy(loadWhole) }
})

interface StorePagesProps {
  readonly store: ReturnType<typeof currentStore>
  /** True while an administrator acts as the user: their own last store is kept. */
  readonly isActing: boolean
}

function StorePages({ store, isActing }: StorePagesProps) {
  useEffect(() => {
    if (!isActing) keepLastStore(store.storeId)
  }, [store.storeId, isActing])
  return (
    <StoreProvider value={store} key={store.storeId}>
      <Layout>
        <PageBoundary>
          <Suspense fallback={<Waiting />}>
            <Switch>
              {pages.map(({ path, operation, Page }) => (
                <Route key={path} path={`/:storeId${path}`}>
                  {store.can(operation) ? <Page /> : <NotFound />}
                </Route>
              ))}
              <Route path="/:storeId">
                <Redirect key={store.storeId} to={`/${store.storeId}${firstPlace(store)}`} replace />
              </Route>
              <Route>{placesOf(store).length === 0 ? <NoPlace /> : <NotFound />}</Route>
            </Switch>
          </Suspense>
        </PageBoundary>
      </Layout>
    </StoreProvider>
  )
}
