import { density, theme } from '../session/appearance.ts'
import { closeSession } from '../session/console-session.ts'
import { useMe } from '../session/me.ts'
import { describeFailure } from '../ui/failure.tsx'
import { Icon } from '../ui/icons.tsx'
import { Menu } from '../ui/menu.tsx'
import { MenuChoice } from '../ui/menu-choice.tsx'
import { showToast } from '../ui/toast.tsx'
import { Name } from '../ui/values.tsx'
import { t } from '../words/words.ts'
import { openActAs } from './act-as/act-as.tsx'
import { openCommand } from './command/command.tsx'
import { LanguageChoices } from './language-choices.tsx'
import { MorePlaces } from './more-places.tsx'
import { StoreLinks } from './store-links.tsx'

/** Menu of the user: language, appearance, acting as a user, and sign-out. On the bar of a phone it holds the stores too. */
export function AccountMenu({ isOnBar = false }: { readonly isOnBar?: boolean }) {
  const { data: me } = useMe()
  const signOut = () => void closeSession().catch((error) => showToast(describeFailure(error)))
  return (
    <Menu
      class={isOnBar ? '' : 'button quiet'}
      button={
        isOnBar ? (
          <>
            <Icon name="more" />
            {t('more')}
          </>
        ) : (
          <>
            <Icon name="user" />
            <Name>{me?.user.name ?? ''}</Name>
          </>
        )
      }
    >
      {isOnBar && (
        <button type="button" onClick={openCommand}>
          {t('command.open')}
        </button>
      )}
      {isOnBar && <MorePlaces />}
      {isOnBar && <StoreLinks />}
      <LanguageChoices />
      <p class="heading">{t('theme.menu')}</p>
      {(['system', 'light', 'dark'] as const).map((each) => (
        <MenuChoice key={each} label={t(`theme.${each}`)} isChosen={theme.value === each} onChoose={() => (theme.value = each)} />
      ))}
      {!isOnBar &&
        (['comfortable', 'compact'] as const).map((each) => (
          <MenuChoice key={each} label={t(`density.${each}`)} isChosen={density.value === each} onChoose={() => (density.value = each)} />
        ))}
      <hr />
      {me?.isAdmin && (
        <button type="button" onClick={openActAs}>
          {t('actAs.open')}
        </button>
      )}
      <button type="button" onClick={signOut}>
        {t('account.signOut')}
      </button>
    </Menu>
  )
}
