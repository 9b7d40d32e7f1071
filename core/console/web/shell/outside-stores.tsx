import type { ComponentChildren } from 'preact'
import { AccountMenu } from './account-menu.tsx'
import { ActAs } from './act-as/act-as.tsx'
import { Bands } from './bands.tsx'

/** Frame of the pages that belong to no store. It has the account menu: an administrator may have no store. */
export const OutsideStores = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="outside">
    <Bands />
    <header>
      <AccountMenu />
    </header>
    {children}
    <ActAs />
  </div>
)
