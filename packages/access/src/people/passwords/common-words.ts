/**
 * The most frequent words in passwords of more than a dozen characters, from published lists of leaked passwords:
 * words, first names, clubs, firms, months, and words of trading firms.
 */
const TEXT = `
password passwort passw0rd contrasena motdepasse parola senha haslo wachtwoord geheim secret pass
welcome willkommen bienvenue hello hallo login logmein letmein signin access open sesame enter
admin administrator root superuser user username guest test testing tester demo sample default
change changeme temp temporary example nothing whatever something anything internet computer laptop
server network system windows microsoft google gmail yahoo hotmail facebook instagram twitter
linkedin youtube amazon apple iphone android samsung nokia sony playstation xbox nintendo pokemon
minecraft fortnite roblox minion starwars skywalker vader jedi superman batman spiderman ironman
superstar rockstar harrypotter hogwarts naruto dragonball pikachu zelda mario sonic matrix merlin
dragon monkey tiger lion panther leopard cheetah eagle falcon hawk wolf bear shark dolphin horse
mustang stallion turtle penguin panda puppy kitten kitty doggy tweety snoopy garfield buster
football baseball basketball hockey soccer tennis golf cricket rugby boxing karate skater runner
manchester united liverpool arsenal chelsea barcelona realmadrid juventus milan bayern dortmund
benfica celtic rangers everton tottenham lakers yankees cowboys steelers packers eagles patriots
redsox chicago newyork london paris berlin madrid roma tokyo sydney america england france
germany italia espana brasil canada mexico australia india pakistan russia china japan texas
michael michelle jennifer jessica ashley amanda andrew anthony daniel david matthew joshua jordan
joseph jonathan christopher christian christina nicholas nicole robert richard thomas william
charlie charles george harry jack james john johnny maria marie martin martina melissa natalie
nathan patrick peter rachel rebecca samantha samuel sandra sarah sebastian sophie stephanie steven
susan taylor tiffany tyler vanessa veronica victor victoria vincent alexander alexandra andrea
angel angela anna barbara benjamin brandon brian carlos carmen caroline catherine danielle diana
elizabeth emily emma eric fernando francis gabriel hannah heather isabella jasmine julia justin
karen katherine kevin kimberly laura lauren linda lisa lucas maggie marco marcus margaret mark
morgan oliver olivia pamela patricia paul philip pedro ricardo roberto rodrigo ronald ronaldo
messi beckham maradona jordan23 kobe lebron federer schumacher hamilton mohamed muhammad ahmed
iloveyou iloveu ilove loveyou loveme lover lovely love forever always baby babygirl babyboy sweet
sweetie sweetheart honey sugar princess prince queen king angel heaven jesus jesuschrist christ
blessed god faith hope grace church trinity hallelujah bible allah bismillah krishna ganesh shiva
family mother father mommy daddy mummy mama papa sister brother grandma grandpa friend friends
friendship bestfriend husband children
sunshine summer winter spring autumn january february march april june july august september
october november december monday tuesday wednesday thursday friday saturday sunday morning weekend
flower flowers rainbow butterfly diamond crystal silver golden gold purple orange yellow green blue
black white pink chocolate cookie coffee banana cherry strawberry peanut pepper ginger cheese
pizza chicken whiskey guinness freedom liberty peace happy lucky smile beautiful awesome amazing
perfect fantastic wonderful unbelievable incredible success winner champion champ warrior soldier
hunter killer ninja samurai pirate gangster monster ghost vampire zombie shadow phantom phoenix
thunder lightning storm hurricane tornado volcano galaxy universe planet moonlight starlight
midnight sunset ocean beach mountain river forest island paradise
metallica nirvana slipknot eminem beatles elvis madonna rihanna beyonce shakira bieber guitar piano
music dance dancer singer blink182 greenday linkinpark ferrari porsche mercedes lamborghini
corvette camaro chevy chevrolet toyota honda yamaha kawasaki suzuki ducati harley davidson
money dollar dollars bitcoin ethereum crypto blockchain trader trading trade trades forex stocks
market markets invest investor investing finance bank banker banking account accounts broker
profit profits funded funding prop desk owner operator manager director company office business
firm capital wallstreet bullish bearish lambo moon hodl satoshi nakamoto million millionaire
billionaire security secure private personal master mistress boss captain doctor teacher student
school college university please thanks thankyou asdf zxcv qazwsx trustno1 abcd pass1234
`;

/** The common words of at least four characters, in lower case. */
export const COMMON_WORDS: readonly string[] = TEXT.split(/\s+/).filter((word) => word.length >= 4);
