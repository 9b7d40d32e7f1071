import type { ComponentChildren } from 'preact'
import { Link, useLocation } from 'wouter-preact'
import { type CurrentStore, useStore } from '../session/store.tsx'
import { Icon } from '../ui/icons.tsx'
import { useKeys } from '../ui/keys.ts'
import { t } from '../words/words.ts'
import { AccountMenu } from './account-menu.tsx'
import { ActAs } from './act-as/act-as.tsx'
import { Bands } from './bands.tsx'
import { Command, CommandButton } from './command/command.tsx'
import { PLACES_ON_BAR } from './more-places.tsx'
import { placesOf } from './places.ts'
import { StoreMenu } from './store-menu.tsx'

/** Returns the path at which a user starts in a store: the first place they may go to. */
export const firstPlace = (store: CurrentStore): string => placesOf(store)[0]?.path ?? '/nothing'

/** Frame of the pages of a store: navigation at the side, or at the bottom of a phone. */
export function Layout({ children }: { readonly children: ComponentChildren }) {
  const store = useStore()
  const [path, go] = useLocation()
  const places = placesOf(store).map((place) => ({ ...place, href: `/${store.storeId}${place.path}` }))
  const isCurrent = (href: string) => (path === href || path.startsWith(`${href}/`) ? 'page' : undefined)
  useKeys(Object.fromEntries(places.map(({ key, href }) => [`g ${key}`, () => go(href)] as const)))
  return (
    <div class="frame">
      <aside class="sidebar">
        <StoreMenu />
        <CommandButton />
        <nav aria-label={t('nav.places')}>
          <p class="heading">{t('nav.work')}</p>
          {places.map(({ href, name, icon }) => (
            <Link key={href} href={href} aria-current={isCurrent(href)}>
              <Icon name={icon} />
              {t(name)}
            </Link>
          ))}
        </nav>
        <div class="foot">
          <AccountMenu />
        </div>
      </aside>
      <div class="work">
        <Bands />
        {children}
      </div>
      <nav class="bottom-bar" aria-label={t('nav.places')}>
        {places.slice(0, PLACES_ON_BAR).map(({ href, name, icon }) => (
          <Link key={href} href={href} aria-current={isCurrent(href)}>
            <Icon name={icon} />
            {t(name)}
          </Link>
        ))}
        <AccountMenu isOnBar />
      </nav>
      <Command />
      <ActAs />
    </div>
  )
}
