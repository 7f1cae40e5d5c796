"""What the columns of tables are called, in several languages, and what they then hold."""

from __future__ import annotations

import re
import unicodedata

NAMES = {
    "user": "user person reader customer client respondent participant rater reviewer voter patient"
    " subject visitor guest member player student employee session cookie who id uid email mail"
    " nutzer benutzer kunde kundin kunden teilnehmer teilnehmerin befragter befragte proband"
    " probanden patientin patienten"
    " gast mitglied besucher utilisateur client participant repondant personne usuario cliente"
    " participante encuestado persona utente partecipante intervistato pessoa gebruiker klant"
    " deelnemer respondente persoon",
    "arm": "arm item movie film book product business restaurant hotel place venue genre category"
    " title option treatment ad advert variant version song artist track album anime game recipe"
    " joke drug condition testgroup abgroup experimentgroup campaign creative design action brand"
    " asin isbn what choice offer article"
    " variante artikel produkt buch lied marke angebot anzeige kampagne testgruppe behandlung was"
    " produit article livre marque annonce traitement chanson producto articulo libro pelicula"
    " marca anuncio tratamiento prodotto articolo libro annuncio trattamento canzone produto artigo"
    " livro filme anuncio tratamento produkt boek advertentie behandeling merk gerecht",
    "reward": "reward rating ratings score stars star value vote grade mark points response outcome"
    " click clicks clicked converted conversion purchased bought overall overallrating reviewscore"
    " userrating liked like"
    " bewertung note wertung punkte sterne stimme ergebnis klick gekauft antwort"
    " evaluation notation etoiles avis clic achat puntuacion calificacion valoracion nota estrellas"
    " puntos voto valutazione punteggio stelle punti voto avaliacao pontuacao estrelas pontos"
    " clique beoordeling waardering cijfer sterren punten stem",
    "weight": "weight weights count counts n freq frequency times"
    " gewicht anzahl haeufigkeit poids effectif peso frecuencia frequenza aantal frequencia",
    "person": "age agegroup country gender sex region state city education income group language"
    " occupation department zip zipcode"
    " alter geschlecht land stadt bildung einkommen gruppe sprache beruf abteilung altersgruppe"
    " pays sexe genre region ville langue profession edad pais sexo genero ciudad idioma eta paese"
    " sesso genere citta lingua idade cidade lingua leeftijd geslacht stad taal beroep plz",
    "time": "timestamp time date datetime created createdat updatedat submitdate startdate enddate"
    " ratedat reviewtime unixreviewtime day startdatum"
    " zeit datum zeitpunkt zeitstempel uhrzeit tag heure horodatage fecha hora ora data datum tijd"
    " tijdstip dia",
    "duration": "duration seconds minutes elapsed timespent timetaken responsetime reactiontime rt"
    " durationinseconds interviewtime dauer sekunden minuten bearbeitungszeit duree duracion durata"
    " duracao duur tempo year publicationyear jahr annee ano anno jaar"
    " price preis prix precio prezzo preco prijs",
    "total": "total sum totalscore sumscore mean average avg summe gesamt gesamtsumme mittelwert"
    " durchschnitt somme moyenne suma promedio somma media soma totale totaal som gemiddelde",
    "text": "comment comments review reviewtext text feedback remark remarks note notes summary"
    " kommentar bemerkung anmerkung freitext commentaire remarque comentario commento opmerking"
    " ip ipaddress url",
    "index": "index row rowid rownumber rownum rowno unnamed lfdnr lfd nr no zeile num number",
    "other": "progress finished status consent collector wave channel position rank propensity"
    " propensityscore recordedstatus distributionchannel latitude longitude lat lon",
}  # fmt: skip
"""What a column is often called, without its accents, by its meaning."""

MARKS = {"id", "ids", "uuid", "guid", "nr", "no", "number", "key", "code", "token", "kennung"}
"""Last words of a name that say that a column names things."""

GLUED = ("id", "nr", "name", "nummer", "number")
"""Ends of a name in one word that say that a column names things."""

TIMING = ("firstclick", "lastclick", "pagesubmit", "clickcount")
"""Ends of what Qualtrics calls the columns of a timing question."""

_TOTALS = """
visitors users impressions views sessions participants sent delivered exposures trials shown
conversions clicks purchases successes orders signups opens installs sales samples
besucher nutzer aufrufe einblendungen kaeufe klicks konversionen visiteurs vues conversions
clics achats visitantes conversiones compras visitatori conversioni bezoekers conversies
visitas vendas visite
"""
TOTALS = frozenset(_TOTALS.split())
"""What totals are called in a table of one row an arm."""

_WORDS = {meaning: frozenset(words.split()) for meaning, words in NAMES.items()}
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def words_of(name: str) -> list[str]:
    """Return the words of a name in small letters without accents; userId has two."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name[:200]).lower().translate(_GERMAN)
    plain = unicodedata.normalize("NFKD", apart).encode("ascii", "ignore").decode()
    return re.findall(r"[a-z]+|\d+", plain)


def meaning_of(name: str) -> str | None:
    """Return what a column of this name usually holds, a key of `NAMES` or "id"."""
    words = words_of(name)
    while len(words) > 1 and words[-1].isdigit() and words[:-1] == ["unnamed"]:
        words = words[:-1]
    found = _known("".join(words))
    if found:
        return found
    if "".join(words[-2:]) in TIMING:
        return "index"
    if len(words) < 2:
        glued = next((end for end in GLUED if "".join(words).endswith(end)), None)
        return _known(words[0][: -len(glued)]) if glued and words else None
    if words[-1] in MARKS or words[-1] == "name":
        found = _known("".join(words[:-1])) or _known(words[-2]) or "id"
        return "id" if found == "reward" else found  # the id of a response is no response
    return None


def _known(word: str) -> str | None:
    return next((meaning for meaning, known in _WORDS.items() if word in known), None)
