# Ids that answers give to places are explained by what they are places of.
for id in G07@31294811+4821 gap:0@31294811 path@31294811+4821 G99@1 user@host @5 G07@; do
	"$TRACEQ" explain "$id" | head -n 1
done
